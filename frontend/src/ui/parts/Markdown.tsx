/** Markdown of a tape, untrusted: no HTML, no images, and links that show their target. */
import type { Element, ElementContent, Root, RootContent } from "hast";
import { memo, type ReactNode } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";

import { parseAddress } from "@/lib/valueShapes";
import { visibleText } from "@/lib/visibleText";
import classes from "@/ui/parts/Markdown.module.css";

interface MarkdownProps {
  text: string;
}

export const Markdown = memo(function Markdown({ text }: MarkdownProps) {
  return (
    <div className={classes.markdown} dir="auto">
      <ReactMarkdown
        remarkPlugins={PLUGINS}
        rehypePlugins={TREE_PLUGINS}
        components={COMPONENTS}
        urlTransform={keepAddress}
      >
        {visibleText(text)}
      </ReactMarkdown>
    </div>
  );
});

const PLUGINS = [remarkGfm];
const TREE_PLUGINS = [() => showHidden];

/** Keeps only addresses that are safe to link; the others become plain text. */
function keepAddress(address: string): string {
  return parseAddress(address)?.href ?? "";
}

/** Character references (`&#8238;`) can produce characters that the text itself may not contain. */
function showHidden(tree: Root): void {
  const waiting: (Root | RootContent | ElementContent)[] = [tree];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.type === "text" || node.type === "raw") node.value = visibleText(node.value);
    if (node.type === "element") showHiddenIn(node);
    if ("children" in node) waiting.push(...node.children);
  }
}

function showHiddenIn({ properties }: Element): void {
  // Element ids on the page are ours: footnotes and the like would otherwise choose theirs.
  delete properties.id;
  for (const name of ["alt", "title"]) {
    const value = properties[name];
    if (typeof value === "string") properties[name] = visibleText(value);
  }
}

const heading = (level: number) =>
  function Heading({ children }: { children?: ReactNode }) {
    // Headings inside a text are not headings of the page.
    return (
      <p className={classes.heading} data-level={level}>
        {children}
      </p>
    );
  };

const COMPONENTS: Components = {
  a: ({ href, children }) => <SafeLink address={href ?? ""}>{children}</SafeLink>,
  img: ({ src, alt }) => <PictureLink address={typeof src === "string" ? src : ""} alt={alt} />,
  table: ({ children }) => (
    <div className={classes.scroller}>
      <table>{children}</table>
    </div>
  ),
  h1: heading(1),
  h2: heading(2),
  h3: heading(3),
  h4: heading(4),
  h5: heading(4),
  h6: heading(4),
};

interface SafeLinkProps {
  address: string;
  children: ReactNode;
}

function SafeLink({ address, children }: SafeLinkProps) {
  const url = address === "" ? null : parseAddress(address);
  if (url === null) return <span>{children}</span>;
  return (
    <>
      <a
        href={url.href}
        target="_blank"
        rel="noopener noreferrer nofollow"
        title={visibleText(url.href)}
      >
        {children}
      </a>
      {children !== url.href && <span className="ts-caption"> ({hostOf(url)})</span>}
    </>
  );
}

/** Images from elsewhere are never loaded: loading one would reveal who reads, and when. */
function PictureLink({ address, alt }: { address: string; alt: string | undefined }) {
  const name = alt === undefined || alt === "" ? "picture" : `picture: ${alt}`;
  return <SafeLink address={address}>{name}</SafeLink>;
}

function hostOf(url: URL): string {
  return visibleText(url.protocol === "mailto:" ? url.pathname : url.host);
}
