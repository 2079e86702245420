import { Fragment, type JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Failure, StudioFacts } from '../src/server/wire.ts'
import { ask, failureOf } from './ask-server.ts'
import { BASE } from './base.ts'
import { CommandLine } from './command-box.tsx'
import { tablesCommand } from './command-line.ts'
import { KeyHelp, useSingleKeys } from './keys.tsx'
import { NavigationProvider, useNavigation, ViewLink } from './navigation.tsx'
import { Problem } from './problem.tsx'
import { TablePage } from './table-page.tsx'
import { tableView } from './view.ts'

/** The whole page. */
export function App({ facts }: { readonly facts: StudioFacts }): JSX.Element {
  return (
    <NavigationProvider>
      <Frame facts={facts} />
    </NavigationProvider>
  )
}

function Frame({ facts }: { readonly facts: StudioFacts }): JSX.Element {
  const { view } = useNavigation()
  const help = useRef<HTMLDialogElement>(null)
  const [isListed, setListed] = useState<boolean>()
  // A narrow window shows the tables on demand, until one is chosen.
  useEffect(() => setListed(undefined), [view.table])
  const list = (isShown: boolean): void => {
    setListed(isShown)
    if (isShown) requestAnimationFrame(() => document.getElementById('tables')?.focus())
  }
  const isOther = view.account !== '' && view.account !== facts.account
  useSingleKeys({
    '?': () => help.current?.showModal(),
    t: () => list(true),
  })
  useEffect(() => {
    document.title = [view.table, facts.account, 'Rowkey studio'].filter(Boolean).join(' · ')
  }, [view.table, facts.account])
  return (
    <>
      <header class="top">
        <button
          type="button"
          class="quiet"
          aria-controls="table-list"
          aria-expanded={isListed ?? !isNarrow()}
          onClick={() => list(!(isListed ?? !isNarrow()))}
        >
          Tables
        </button>
        <img src={`${BASE}icon.svg`} alt="" width="22" height="22" />
        <ViewLink view={tableView(facts.account, undefined)} class="brand">
          Rowkey studio
        </ViewLink>
        <span class="place">{facts.place}</span>
        {facts.isWritable ? (
          <span class="badge writes">Writes allowed</span>
        ) : (
          <span class="badge">Read only</span>
        )}
        <button type="button" class="quiet" onClick={() => help.current?.showModal()}>
          Keys <kbd>?</kbd>
        </button>
      </header>
      <div class="body">
        <Tables facts={facts} state={isListed === undefined ? '' : isListed ? 'shown' : 'closed'} />
        <main>
          {isOther ? (
            <OtherAccount facts={facts} />
          ) : view.table === undefined ? (
            <Welcome facts={facts} />
          ) : (
            <TablePage key={view.table} facts={facts} table={view.table} />
          )}
        </main>
      </div>
      <KeyHelp dialog={help} />
    </>
  )
}

/** The width below which studio.css shows the tables on demand. */
const isNarrow = (): boolean => matchMedia('(width < 40rem)').matches

/** A name that may break where a word of it begins. */
function Breakable({ name }: { readonly name: string }): JSX.Element {
  return (
    <>
      {name.split(/(?<=[a-z])(?=[A-Z0-9])|(?<=[0-9])(?=[A-Za-z])|(?<=-)/).map((part, at) => (
        <Fragment key={part + at}>
          {at > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </>
  )
}

function Welcome({ facts }: { readonly facts: StudioFacts }): JSX.Element {
  return (
    <div class="welcome">
      <h1>{facts.account}</h1>
      <p>
        Choose a table. The address of every view is the query, so a colleague can open it, too.
      </p>
      <CommandLine text={tablesCommand(facts.target)} />
    </div>
  )
}

function OtherAccount({ facts }: { readonly facts: StudioFacts }): JSX.Element {
  const { view } = useNavigation()
  return (
    <div class="welcome">
      <h1>Another account</h1>
      <p>
        This link shows rows of <strong>{view.account}</strong>, but this studio opened{' '}
        <strong>{facts.account}</strong>. Start <code>rowkey studio</code> for that account.
      </p>
      <p>
        <ViewLink view={{ ...view, account: facts.account }}>
          Show the same view of {facts.account}
        </ViewLink>
      </p>
    </div>
  )
}

/** Lists the tables. A credential for one table may not list them; then their names are typed. */
function Tables(props: {
  readonly facts: StudioFacts
  /** Whether the reader has opened or closed the list; empty when the width decides. */
  readonly state: 'shown' | 'closed' | ''
}): JSX.Element {
  const { facts, state } = props
  const { view, go } = useNavigation()
  const [tables, setTables] = useState<readonly string[]>()
  const [failure, setFailure] = useState<Failure>()
  const [text, setText] = useState('')
  useEffect(() => {
    ask<{ tables?: readonly string[] }>('tables')
      .then(({ tables: found = [] }) => setTables(found))
      .catch((error) => setFailure(failureOf(error)))
  }, [])
  const shown = (tables ?? []).filter((name) => name.toLowerCase().includes(text.toLowerCase()))
  const open = (event: Event): void => {
    event.preventDefault()
    const name = tables?.length === 0 ? text : (shown[0] ?? text)
    if (name !== '') go(tableView(facts.account, name), [])
  }
  return (
    <nav id="table-list" aria-label="Tables" class={state}>
      <form onSubmit={open}>
        <input
          id="tables"
          type="search"
          aria-label="Find a table"
          placeholder="Find a table"
          autocomplete="off"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </form>
      {failure && <Problem failure={failure} />}
      {tables?.length === 0 && <p class="hint">No table is listed. Type a name and press Enter.</p>}
      <ul>
        {shown.map((name) => (
          <li key={name}>
            <ViewLink
              view={tableView(facts.account, name)}
              trail={[]}
              current={name === view.table ? 'page' : undefined}
            >
              <Breakable name={name} />
            </ViewLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
