import { modals } from "@mantine/modals";

import classes from "@/app/KeysDialog.module.css";
import { listKeys } from "@/lib/keys";
import { KeyHint } from "@/ui/KeyHint";

const MODAL_ID = "keys";

/** Show the keyboard shortcuts of everything that is on the screen now. */
export function openKeysDialog(): void {
  modals.open({
    modalId: MODAL_ID,
    title: "Keyboard shortcuts",
    size: 640,
    children: <KeysTable />,
  });
}

function KeysTable() {
  return (
    <div className={classes.zones}>
      {listKeys().map(({ zone, keys }) => (
        <section key={zone} className={classes.zone}>
          <h3 className={`ts-caption ${classes.name}`}>{zone}</h3>
          <dl>
            {keys.map((key) => (
              <div key={key.keys} className={`ts-row ${classes.row}`}>
                <dt>{key.label}</dt>
                <dd>
                  <KeyHint keys={key.keys} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}
