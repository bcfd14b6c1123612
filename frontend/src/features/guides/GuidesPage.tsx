/** How to do things in the studio: the documents, read and searched without leaving it. */
import { TextInput } from "@mantine/core";
import { IconBook, IconSearch } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { Link, useLocation, useParams } from "react-router";

import { DOCUMENTS } from "@/features/guides/documents";
import { FIRST_GUIDE, GUIDE_GROUPS, GUIDES } from "@/features/guides/guideList";
import classes from "@/features/guides/guides.module.css";
import { GuideText } from "@/features/guides/GuideText";
import { anchorOf, listHeadings, searchGuides } from "@/features/guides/searching";
import { PageHeader } from "@/ui/PageHeader";
import { EmptyState } from "@/ui/States";

export function GuidesPage() {
  const { name = FIRST_GUIDE } = useParams();
  const [typed, setTyped] = useState("");
  const guide = GUIDES.find((one) => one.name === name);
  return (
    <>
      <PageHeader title={guide === undefined ? "Guides" : guide.title} />
      <div className={classes.guides}>
        <nav aria-label="Guides" className={`ts-column ${classes.list}`}>
          <TextInput
            aria-label="Search the guides"
            placeholder="Search the guides"
            leftSection={<IconSearch size={14} />}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          {typed.trim() === "" ? <GuideList open={name} /> : <Hits typed={typed} />}
        </nav>
        <Guide key={name} name={name} />
      </div>
    </>
  );
}

function GuideList({ open }: { open: string }) {
  return GUIDE_GROUPS.map(({ group, guides }) => (
    <section key={group} aria-label={group}>
      <h2 className={classes.group}>{group}</h2>
      <ul>
        {guides.map(({ name, title }) => (
          <li key={name}>
            <Link
              to={`/guides/${name}`}
              aria-current={name === open && "page"}
              className={`ts-words ${classes.entry}`}
            >
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  ));
}

function Hits({ typed }: { typed: string }) {
  const hits = searchGuides(typed);
  if (hits.length === 0) return <p className="ts-hint">No guide holds these words.</p>;
  return (
    <ul aria-label="Found">
      {hits.map(({ guide: { name, title }, anchor, line }) => (
        <li key={name}>
          <Link
            to={`/guides/${name}${anchor && `#${anchor}`}`}
            className={`ts-words ${classes.entry}`}
          >
            {title}
            <span className={`ts-hint ts-truncate ${classes.line}`}>{line}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Guide({ name }: { name: string }) {
  const article = useRef<HTMLElement>(null);
  const { hash, key } = useLocation();
  useEffect(() => {
    const anchor =
      hash === "" ? null : window.document.getElementById(decodeURIComponent(hash.slice(1)));
    if (anchor === null) article.current?.scrollTo({ top: 0 });
    else anchor.scrollIntoView();
  }, [hash, key]);
  const document = DOCUMENTS.get(name);
  if (document === undefined) {
    return (
      <EmptyState title="There is no such guide" icon={<IconBook size={24} stroke={1.5} />}>
        Choose one of the list, or search for what you want to do.
      </EmptyState>
    );
  }
  const text = withoutTitle(document);
  return (
    <article ref={article} aria-label="Guide" className={classes.guide}>
      <nav aria-label="On this page" className={classes.contents}>
        <h2 className={classes.group}>On this page</h2>
        <ul>
          {listHeadings(text).map((heading) => (
            <li key={heading}>
              <Link to={{ hash: anchorOf(heading) }} className={classes.entry}>
                {heading}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className={classes.text}>
        <GuideText text={text} />
      </div>
    </article>
  );
}

/** The page has it as its own. */
const withoutTitle = (text: string) => text.replace(/^# .*\n/, "");
