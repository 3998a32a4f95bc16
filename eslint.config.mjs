import js from "@eslint/js";
import hooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

const tests = ["**/*.test.ts", "**/test/**/*.ts", "test/**/*.ts", "shared/testing/**/*.ts", "**/*.spec.ts"];

export default tseslint.config(
  { ignores: ["**/dist/**", "**/node_modules/**", "**/.interlude/**", "bench/**", "services/*/drizzle/**"] },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  js.configs.recommended,
  {
    files: ["**/*.ts", "**/*.tsx"],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "no-restricted-syntax": [
        "error",
        { selector: "ExportDefaultDeclaration", message: "Name what you export." },
        {
          selector: "ThrowStatement > NewExpression[callee.name='Error']",
          message: "Throw a ServiceFailure or another typed error with a code.",
        },
        {
          selector: "MemberExpression[object.name='process'][property.name='env']",
          message: "Read the environment in main.ts or config.ts and pass values in.",
        },
      ],
    },
  },
  { files: ["clients/inbox/**/*.tsx", "clients/inbox/**/*.ts"], ...hooks.configs.flat.recommended },
  {
    files: ["**/*.mjs", "**/*.cjs"],
    languageOptions: {
      globals: {
        process: "readonly",
        console: "readonly",
        URL: "readonly",
        setTimeout: "readonly",
        module: "writable",
        fetch: "readonly",
        AbortSignal: "readonly",
        Buffer: "readonly",
        clearTimeout: "readonly",
      },
    },
  },
  {
    files: [...tests, "**/main.ts", "**/config.ts", "**/*.config.ts"],
    rules: { "no-restricted-syntax": "off" },
  },
);
