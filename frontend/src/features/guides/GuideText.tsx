/** A guide as a page: headings that can be linked to, links between guides, pictures. */
import { memo, type ReactNode } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import { Link } from "react-router";
import remarkGfm from "remark-gfm";

import { DOCUMENTS, findPicture } from "@/features/guides/documents";
import classes from "@/features/guides/guides.module.css";
import { anchorOf } from "@/features/guides/searching";

export const GuideText = memo(function GuideText({ text }: { text: string }) {
  return (
    <ReactMarkdown remarkPlugins={PLUGINS} components={COMPONENTS}>
      {text}
    </ReactMarkdown>
  );
});

const PLUGINS = [remarkGfm];

/** One level below its own: the page has a heading already. */
const heading = (Tag: "h2" | "h3" | "h4") =>
  function Heading({ children }: { children?: ReactNode }) {
    const anchor = anchorOf(textOf(children));
    return <Tag id={anchor}>{children}</Tag>;
  };

function textOf(node: ReactNode): string {
  if (typeof node === "string") return node;
  if (Array.isArray(node)) return node.map(textOf).join("");
  if (typeof node === "object" && node !== null && "props" in node) {
    const { props } = node;
    if (typeof props === "object" && props !== null && "children" in props) {
      return isNode(props.children) ? textOf(props.children) : "";
    }
  }
  return "";
}

const isNode = (value: unknown): value is ReactNode =>
  typeof value === "string" ||
  Array.isArray(value) ||
  (typeof value === "object" && value !== null);

const COMPONENTS: Components = {
  a: ({ href = "", children }) => <GuideLink address={href}>{children}</GuideLink>,
  img: ({ src, alt }) => (
    <img src={typeof src === "string" ? findPicture(src) : undefined} alt={alt ?? ""} />
  ),
  table: ({ children }) => (
    <div className={classes.scroller}>
      <table>{children}</table>
    </div>
  ),
  h1: heading("h2"),
  h2: heading("h3"),
  h3: heading("h4"),
};

interface GuideLinkProps {
  address: string;
  children?: ReactNode;
}

/** Other guides open here, the web beside it; files of the repository are only named. */
function GuideLink({ address, children }: GuideLinkProps) {
  if (address.startsWith("https://")) {
    return (
      <a href={address} target="_blank" rel="noopener noreferrer">
        {children}
      </a>
    );
  }
  if (address.startsWith("#")) return <Link to={{ hash: address }}>{children}</Link>;
  const [, name = "", hash = ""] = /^([\w-]+)\.md(#.*)?$/.exec(address) ?? [];
  if (!DOCUMENTS.has(name)) return <span>{children}</span>;
  return <Link to={`/guides/${name}${hash}`}>{children}</Link>;
}
