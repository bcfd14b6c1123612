/** How long a model may think, as providers name it. */
export const EFFORTS = ["none", "low", "medium", "high"] as const;

export type Effort = (typeof EFFORTS)[number];
