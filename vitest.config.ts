import { defineConfig } from "vitest/config";

const ignored = ["**/node_modules/**", "**/dist/**"];

/** The file name says the tier; each tier is a project so that a fast one can be run alone. */
export default defineConfig({
  test: {
    testTimeout: 20_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: { name: "unit", include: ["**/*.unit.test.ts", "**/*.property.test.ts"], exclude: ignored },
      },
      {
        extends: true,
        test: {
          name: "integration",
          include: ["**/*.int.test.ts"],
          exclude: ignored,
          globalSetup: ["shared/testing/src/global-setup.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "journey",
          include: ["test/**/*.e2e.test.ts"],
          exclude: ignored,
          globalSetup: ["shared/testing/src/global-setup.ts"],
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: "browser",
          include: ["test/browser/**/*.spec.ts"],
          exclude: ignored,
          globalSetup: ["shared/testing/src/global-setup.ts"],
          testTimeout: 60_000,
        },
      },
    ],
  },
});
