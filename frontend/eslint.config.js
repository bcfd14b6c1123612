import js from "@eslint/js";
import { createTypeScriptImportResolver } from "eslint-import-resolver-typescript";
import { importX } from "eslint-plugin-import-x";
import jsxA11y from "eslint-plugin-jsx-a11y";
import reactHooks from "eslint-plugin-react-hooks";
import globals from "globals";
import tseslint from "typescript-eslint";

const features = [
  "tapes",
  "tape-editor",
  "tape-diff",
  "uploads",
  "agents",
  "agent-editor",
  "models",
  "environments",
  "runs",
  "annotate",
  "batches",
  "datasets",
  "lint",
  "training",
  "evaluation",
  "checks",
  "tokens",
  "people",
  "projects",
];
/** Features that use parts of other features. */
const builtOn = {
  evaluation: ["training", "checks", "agents"],
  "tape-editor": ["checks"],
  "agent-editor": ["tape-editor"],
};

// The zones of the tape editor, lowest first: each may import earlier ones, through their barrels.
const editorZones = [
  "draft",
  "live",
  "look",
  "choice",
  "editor",
  "lanes",
  "saving",
  "fixes",
  "notes",
  "lint",
  "form",
  "run",
  "run-n",
  "regression",
  "map",
  "improving",
  "cards",
  "share",
  "inspector",
  "playground",
  "compare",
  "header",
  "panes",
  "keys",
];

const EDITOR = "./src/features/tape-editor";

const oneOf = (names) => `@(${names.join("|")})`;

// Tests and their helpers may render the whole page.
const notTests = (folder) => `${folder}/**/!(*.test|testing).{ts,tsx}`;

const betweenEditorZones = editorZones.flatMap((name, place) => {
  const others = oneOf(editorZones.filter((other) => other !== name));
  const above = oneOf(editorZones.slice(place + 1));
  return [
    {
      target: `${EDITOR}/${name}`,
      from: `${EDITOR}/${others}/**/!(index).*`,
      message: "Import another zone through its barrel.",
    },
    {
      target: notTests(`${EDITOR}/${name}`),
      from: [`${EDITOR}/${above}/**/*`, `${EDITOR}/*.*`],
      message: "A zone may import only zones before it in `editorZones`.",
    },
    {
      target: `${EDITOR}/${name}`,
      from: `${EDITOR}/${name}/index.ts`,
      message: "Inside a zone, import the file itself.",
    },
  ];
});

const intoEditorZones = {
  target: `${EDITOR}/*.{ts,tsx}`,
  from: `${EDITOR}/${oneOf(editorZones)}/**/!(index).*`,
  message: "Import a zone through its barrel.",
};

const zones = [
  ...betweenEditorZones,
  intoEditorZones,
  ...features.map((name) => ({
    target: `./src/features/${name}`,
    from: "./src/features",
    except: [name, ...(builtOn[name] ?? [])].map((known) => `./${known}`),
  })),
  { target: "./src/features", from: "./src/app" },
  { target: ["./src/api", "./src/ui", "./src/lib"], from: ["./src/features", "./src/app"] },
  { target: ["./src/ui", "./src/lib"], from: "./src/api" },
];

export default tseslint.config(
  { ignores: ["dist", "coverage", "node_modules", "public", "src/api/schema.ts"] },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  jsxA11y.flatConfigs.recommended,
  reactHooks.configs.flat.recommended,
  {
    languageOptions: {
      globals: globals.browser,
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    plugins: { "import-x": importX },
    settings: {
      "import-x/resolver-next": [createTypeScriptImportResolver()],
      // Without these two, `no-cycle` silently skips all of our files.
      "import-x/extensions": [".ts", ".tsx", ".js"],
      "import-x/parsers": { "@typescript-eslint/parser": [".ts", ".tsx"] },
    },
    rules: {
      "import-x/no-restricted-paths": ["error", { zones }],
      "import-x/no-cycle": "error",
      "import-x/no-default-export": "error",
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      "@typescript-eslint/consistent-type-assertions": ["error", { assertionStyle: "never" }],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      // `onClick={() => navigate(...)}` is how React writes an event handler.
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/no-misused-promises": [
        "error",
        { checksVoidReturn: { attributes: false } },
      ],
      // We do not use the React compiler, and without it the virtual list library is fine.
      "react-hooks/incompatible-library": "off",
      eqeqeq: "error",
      "no-console": "error",
    },
  },
  {
    files: ["*.config.{ts,js}"],
    rules: { "import-x/no-default-export": "off" },
  },
  { files: ["*.js"], extends: [tseslint.configs.disableTypeChecked] },
);
