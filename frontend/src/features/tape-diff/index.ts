export { ComparePane, type ComparePaneProps } from "@/features/tape-diff/ComparePane";
export { DiffPage } from "@/features/tape-diff/DiffPage";
