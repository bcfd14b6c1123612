import {
  createTheme,
  type CSSVariablesResolver,
  type MantineColorsTuple,
  type MantineThemeOverride,
} from "@mantine/core";

const indigo: MantineColorsTuple = [
  "#eef0ff",
  "#dfe2ff",
  "#c3c7ff",
  "#a5a8ff",
  "#8084f7",
  "#6366f1",
  "#4f46e5",
  "#4338ca",
  "#3730a3",
  "#2a2678",
];

/** White text on shade 6 has a contrast of 4.5:1, which Mantine's own red does not reach. */
const red: MantineColorsTuple = [
  "#fdebec",
  "#fad4d6",
  "#f5adb1",
  "#f28b8b",
  "#e2646a",
  "#d2454c",
  "#c2333a",
  "#b4232a",
  "#951c22",
  "#76161b",
];

/** Mantine takes dark surfaces from this scale: 7 is the body, 6 inputs, 4 borders, 0 text. */
const dark: MantineColorsTuple = [
  "#e4e7ec",
  "#c3c8d0",
  "#9aa2ae",
  "#6f7885",
  "#343a44",
  "#2b3038",
  "#1d2026",
  "#14161a",
  "#101216",
  "#0b0d10",
];

const mono =
  "ui-monospace, 'SF Mono', SFMono-Regular, Menlo, 'DejaVu Sans Mono', Consolas, monospace";
const words =
  "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', Helvetica, Arial, sans-serif";

/** 13 px text on a 4 px grid; hairlines instead of shadows. */
export const theme: MantineThemeOverride = createTheme({
  fontFamily: words,
  fontFamilyMonospace: mono,
  headings: {
    fontFamily: words,
    fontWeight: "600",
    sizes: {
      h1: { fontSize: "15px", lineHeight: "24px" },
      h2: { fontSize: "13px", lineHeight: "20px" },
      h3: { fontSize: "13px", lineHeight: "20px" },
      h4: { fontSize: "13px", lineHeight: "20px" },
    },
  },
  fontSizes: { xs: "13px", sm: "13px", md: "13px", lg: "13px", xl: "15px" },
  lineHeights: { xs: "20px", sm: "20px", md: "20px", lg: "20px", xl: "24px" },
  spacing: { xs: "4px", sm: "8px", md: "12px", lg: "16px", xl: "24px" },
  radius: { xs: "2px", sm: "4px", md: "6px", lg: "8px", xl: "12px" },
  defaultRadius: "sm",
  primaryColor: "indigo",
  primaryShade: { light: 6, dark: 6 },
  colors: { indigo, dark, red },
  shadows: { xs: "none", sm: "none", md: "0 4px 16px rgb(0 0 0 / 12%)" },
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    ActionIcon: { defaultProps: { variant: "subtle", color: "gray", size: 28 } },
    Button: { defaultProps: { size: "xs", fw: 500 } },
    Checkbox: { defaultProps: { size: "xs" } },
    TextInput: { defaultProps: { size: "xs" } },
    PasswordInput: { defaultProps: { size: "xs" } },
    NumberInput: { defaultProps: { size: "xs" } },
    Textarea: { defaultProps: { size: "xs" } },
    Select: { defaultProps: { size: "xs" } },
    Autocomplete: { defaultProps: { size: "xs" } },
    TagsInput: { defaultProps: { size: "xs" } },
    MultiSelect: { defaultProps: { size: "xs" } },
    Radio: { defaultProps: { size: "xs" } },
    // A closed list that stays mounted computes its position.
    Combobox: { defaultProps: { keepMounted: false } },
    Switch: { defaultProps: { size: "xs" } },
    SegmentedControl: { defaultProps: { size: "xs" }, styles: { label: { fontWeight: 500 } } },
    Input: { styles: { input: { textOverflow: "ellipsis" } } },
    InputWrapper: {
      styles: { label: { fontWeight: 500 }, description: { lineHeight: "16px" } },
    },
    Tabs: { defaultProps: { variant: "default" } },
    Table: { defaultProps: { verticalSpacing: 4, horizontalSpacing: 8 } },
    Modal: {
      defaultProps: {
        closeButtonProps: { "aria-label": "Close" },
        transitionProps: { duration: 120 },
        shadow: "md",
      },
      styles: { title: { fontSize: 14, fontWeight: 600 } },
    },
    Drawer: {
      defaultProps: {
        closeButtonProps: { "aria-label": "Close" },
        transitionProps: { duration: 150 },
      },
      styles: { title: { fontSize: 14, fontWeight: 600 } },
    },
    Notification: {
      defaultProps: { closeButtonProps: { "aria-label": "Dismiss the message" } },
    },
    Menu: {
      defaultProps: {
        transitionProps: { duration: 100 },
        shadow: "md",
        // A menu may contain only items, which the placeholder is not. The first item takes the
        // focus.
        withInitialFocusPlaceholder: false,
      },
      styles: { label: { fontWeight: 500 } },
    },
    Tooltip: {
      defaultProps: {
        openDelay: 300,
        transitionProps: { duration: 100 },
        events: { hover: true, focus: true, touch: true },
      },
    },
  },
});

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-text": "#1a1d22",
    "--mantine-color-dimmed": "#5c6370",
    "--mantine-color-placeholder": "#687080",
    "--mantine-color-default-border": "#d9dde3",
    "--mantine-color-error": "#b4232a",
    "--mantine-color-anchor": "#4338ca",
  },
  dark: {
    "--mantine-color-text": "#e4e7ec",
    "--mantine-color-dimmed": "#9aa2ae",
    "--mantine-color-placeholder": "#8a93a0",
    "--mantine-color-default-border": "#343a44",
    "--mantine-color-error": "#f28b8b",
    "--mantine-color-anchor": "#a5a8ff",
  },
});
