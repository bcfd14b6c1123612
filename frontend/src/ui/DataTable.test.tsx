import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
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

function Chooser({ ids }: { ids: readonly string[] }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  return (
    <Look>
      <DataTable
        label="Names"
        columns={COLUMNS}
        rows={ids.map((id) => ({ id }))}
        rowId={({ id }) => id}
        selection={{ ids: chosen, onChange: setChosen, labelOf: (id) => id }}
      />
    </Look>
  );
}

test("Shift checks all rows from the one that was checked last, and unchecks them alike", async () => {
  const user = userEvent.setup();
  render(<Chooser ids={["a", "b", "c", "d", "e"]} />);
  const box = (id: string) => screen.findByRole("checkbox", { name: `Select ${id}` });
  const checked = () =>
    screen
      .getAllByRole("checkbox", { checked: true })
      .map((one) => one.getAttribute("aria-label")?.replace("Select ", ""));

  await user.click(await box("b"));
  await user.keyboard("{Shift>}");
  await user.click(await box("d"));
  await user.keyboard("{/Shift}");
  expect(checked()).toEqual(["b", "c", "d"]);

  await user.click(await box("c"));
  await user.keyboard("{Shift>}");
  await user.click(await box("d"));
  await user.keyboard("{/Shift}");
  expect(checked()).toEqual(["b"]);
});
