import { defineConfig } from "vitest/config";

const ignored = ["**/node_modules/**", "**/dist/**"];
const loaded = ["test/faults/**/*.e2e.test.ts", "test/bench/**/*.e2e.test.ts"];

/** Two files at a time on two cores: most of a test's time is waiting for a server or a page. */
const sideBySide = { maxWorkers: 2, sequence: { groupOrder: 0 } };
/** Where 2,000 callers are waiting when a process is killed, nothing else may load the machine. */
const alone = { maxWorkers: 1, sequence: { groupOrder: 1 } };

/** The file name says the tier; each tier is a project so that a fast one can be run alone. */
export default defineConfig({
  test: {
    testTimeout: 20_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          ...sideBySide,
          include: ["**/*.unit.test.ts", "**/*.property.test.ts"],
          exclude: ignored,
        },
      },
      {
        extends: true,
        test: {
          name: "integration",
          ...sideBySide,
          include: ["**/*.int.test.ts"],
          exclude: ignored,
          globalSetup: ["shared/testing/src/global-setup.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "journey",
          ...sideBySide,
          include: ["test/**/*.e2e.test.ts"],
          exclude: [...ignored, ...loaded],
          globalSetup: ["shared/testing/src/global-setup.ts"],
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: "faults",
          ...alone,
          include: loaded,
          exclude: ignored,
          globalSetup: ["shared/testing/src/global-setup.ts"],
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: "browser",
          ...sideBySide,
          include: ["test/browser/**/*.spec.ts"],
          exclude: ignored,
          globalSetup: ["shared/testing/src/global-setup.ts"],
          testTimeout: 60_000,
        },
      },
    ],
  },
});
