import { defineConfig } from "vitest/config";

const ignored = ["**/node_modules/**", "**/dist/**"];
/** Storms: hundreds of callers wait when something is killed, so nothing else may load the machine. */
const storms = [
  "test/faults/{process,services}-killed.e2e.test.ts",
  "test/faults/{database,log}-away.e2e.test.ts",
  "test/faults/runs-killed.e2e.test.ts",
  "test/bench/**/*.e2e.test.ts",
];

/** Three files at a time on two cores: most of a test's time is waiting for a server or a page. */
const sideBySide = { maxWorkers: 3, sequence: { groupOrder: 0 } };
const alone = { maxWorkers: 1, sequence: { groupOrder: 1 } };

/** The file name says the tier; each tier is a project so that a fast one can be run alone. */
export default defineConfig({
  test: {
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // A worker reads the sources once, and not once for every file.
    isolate: false,
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
          exclude: [...ignored, ...storms],
          globalSetup: ["shared/testing/src/global-setup.ts"],
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: "storms",
          ...alone,
          include: storms,
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
