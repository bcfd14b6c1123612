/** Which of several priced scores no cheaper one beats. */
export interface PricedScore {
  score: number;
  cost: number;
}

/** Whether nothing that costs the same or less is better. */
export function isOnFrontier({ score, cost }: PricedScore, all: readonly PricedScore[]): boolean {
  return !all.some(
    (other) =>
      other.cost <= cost && other.score >= score && (other.cost < cost || other.score > score),
  );
}

/** The frontier from cheap to expensive. */
export function frontierOf<Point extends PricedScore>(points: readonly Point[]): Point[] {
  return points
    .filter((point) => isOnFrontier(point, points))
    .sort((one, other) => one.cost - other.cost || one.score - other.score);
}
