import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";

import { DataTable } from "@/ui/DataTable";
import type { Column } from "@/ui/tableColumns";
import { Look } from "@/ui/Look";

interface Row {
  id: string;
}

const COLUMNS: Column<Row>[] = [{ id: "name", header: "Name", cell: ({ id }) => <b>{id}</b> }];

function draw(...ids: string[]) {
  const rows = ids.map((id) => ({ id }));
  return (
    <Look>
      <DataTable
        label="Names"
        columns={COLUMNS}
        rows={rows}
        rowId={({ id }) => id}
        activeId={null}
      />
    </Look>
  );
}

test("what was pressed stays what it is when a row comes in above it", async () => {
  const { rerender } = render(draw("moon", "mars"));
  const pressed = await screen.findByText("moon");

  rerender(draw("venus", "moon", "mars"));

  expect(await screen.findByText("venus")).toBeVisible();
  expect(pressed).toHaveTextContent("moon");
  expect(screen.getByText("moon")).toBe(pressed);
});
