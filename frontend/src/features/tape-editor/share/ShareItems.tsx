/** Ways to give the tape to somebody else. */
import { Menu } from "@mantine/core";
import {
  IconBraces,
  IconFileTypeHtml,
  IconFileZip,
  IconLink,
  IconMarkdown,
  type Icon,
} from "@tabler/icons-react";

import { exportAddress, shareAddress, shareText } from "@/features/tape-editor/share/api";
import { useTapeModel } from "@/features/tape-editor/editor";
import { withProject } from "@/lib/project";
import { linkTo } from "@/lib/project";
import { copyText } from "@/ui/copyText";

/** Menu items. */
export function ShareItems() {
  const { tape } = useTapeModel();
  return (
    <>
      <CopyItems tapeId={tape.id} />
      <Menu.Label>Download without secrets</Menu.Label>
      <Download icon={IconFileTypeHtml} address={shareAddress(tape.id, "html")}>
        One HTML page
      </Download>
      <Download icon={IconMarkdown} address={shareAddress(tape.id, "markdown")}>
        Markdown
      </Download>
      <Download icon={IconBraces} address={shareAddress(tape.id, "json")}>
        JSON
      </Download>
      <Menu.Label>Download for import elsewhere</Menu.Label>
      <Download icon={IconFileZip} address={withProject(exportAddress(tape.id))}>
        Export with LLM calls
      </Download>
    </>
  );
}

function CopyItems({ tapeId }: { tapeId: string }) {
  return (
    <>
      <Item icon={IconLink} onClick={() => void copyText(tapeAddress(tapeId), "Link copied")}>
        Copy link
      </Item>
      <Item
        icon={IconMarkdown}
        onClick={() => void copyText(shareText(tapeId, "markdown"), "Tape copied as Markdown")}
      >
        Copy as Markdown
      </Item>
      <Item
        icon={IconBraces}
        onClick={() => void copyText(shareText(tapeId, "json"), "Tape copied as JSON")}
      >
        Copy as JSON
      </Item>
    </>
  );
}

function tapeAddress(tapeId: string): string {
  return linkTo(`/t/${tapeId}`).href;
}

interface ItemProps {
  icon: Icon;
  onClick: () => void;
  children: string;
}

function Item({ icon: Drawn, onClick, children }: ItemProps) {
  return (
    <Menu.Item leftSection={<Drawn size={15} stroke={1.75} />} onClick={onClick}>
      {children}
    </Menu.Item>
  );
}

interface DownloadProps {
  icon: Icon;
  address: string;
  children: string;
}

function Download({ icon: Drawn, address, children }: DownloadProps) {
  return (
    <Menu.Item
      component="a"
      href={address}
      download
      leftSection={<Drawn size={15} stroke={1.75} />}
    >
      {children}
    </Menu.Item>
  );
}
