import type { JSX } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { ShownRow, StudioFacts } from '../src/server/wire.ts'
import { CommandLine } from './command-box.tsx'
import { exportCommand, queryCommand } from './command-line.ts'
import { FilterBox } from './filter-box.tsx'
import { InsertRow } from './insert-row.tsx'
import { KeptRows } from './kept-rows.tsx'
import { useSingleKeys } from './keys.tsx'
import { useNavigation, ViewLink } from './navigation.tsx'
import { PlanLine, usePlan } from './plan-line.tsx'
import { Problem } from './problem.tsx'
import { RowPanel } from './row-panel.tsx'
import { RowTable } from './row-table.tsx'
import { type Selection, SelectionBar } from './selection.tsx'
import { knownProperties, typesOf } from './table-columns.ts'
import { Toolbar } from './toolbar.tsx'
import { useRows } from './use-rows.ts'
import { type OpenRow, printView, type View } from './view.ts'

const NONE: Selection = new Map()

/** A table: its filter, its rows, and the row that is open. */
export function TablePage(props: {
  readonly facts: StudioFacts
  readonly table: string
}): JSX.Element {
  const { facts, table } = props
  const { view, trail, go } = useNavigation()
  const [typed, setTyped] = useState<string>()
  const [version, setVersion] = useState(0)
  /** The form of a new row: absent, empty, or like another row. */
  const [draft, setDraft] = useState<{ readonly from?: ShownRow }>()
  const [selected, setSelected] = useState<Selection>(NONE)
  const plan = usePlan(table, typed ?? view.filter)
  const isOfView = plan?.filter === view.filter
  const isHeld = isOfView ? plan.plan?.isScan === true && !view.isScan : typed === undefined
  const read = useRows(view, isHeld || (isOfView && plan.failure !== undefined), version)
  const seen = useRef(new Map<string, Set<string>>())
  const known = useMemo(
    () => knownProperties(facts.types, table, read.rows, seen.current),
    [facts, table, read.rows],
  )
  // The selection is of the versions that are seen: another page, or one that is read again, begins without one.
  useEffect(() => setSelected(NONE), [printView({ ...view, open: undefined }), version])
  const first: View = { ...view, token: undefined, open: undefined }
  const next = read.next === undefined ? undefined : { ...first, token: read.next }
  const previous = trail.at(-1)
  const turn = (to: View | undefined, path: readonly string[]) => to && (() => go(to, path))
  const forward = [...trail, view.token ?? '']
  const back = previous === undefined ? undefined : { ...first, token: previous || undefined }
  useSingleKeys({
    '/': () => document.getElementById('filter')?.focus(),
    n: turn(next, forward),
    p: turn(back, trail.slice(0, -1)),
    i: facts.isWritable ? () => setDraft({}) : undefined,
  })
  const apply = (filter: string): void => {
    setTyped(undefined)
    if (filter === view.filter && view.token === undefined) setVersion((before) => before + 1)
    else go({ ...first, filter, isScan: false }, [])
  }
  const reload = (): void => setVersion(version + 1)
  const show = (open: OpenRow | undefined): void => {
    setDraft(undefined)
    go({ ...view, open })
  }
  const needsScan = isOfView && plan.plan?.isScan === true && !view.isScan
  return (
    <div class={view.open || draft ? 'table with-row' : 'table'}>
      <section class="list" aria-label={`Rows of ${table}`}>
        <h1>{table}</h1>
        <FilterBox filter={view.filter} known={known} onType={setTyped} onApply={apply} />
        <PlanLine state={plan} types={typesOf(facts.types, table)} />
        {facts.isWritable && <KeptRows table={table} />}
        {read.failure && <Problem failure={read.failure} />}
        {needsScan ? (
          <div class="warning" role="alert">
            <p>
              This filter does not name a PartitionKey, so the service reads the table from its
              beginning until it has found {view.size} rows. On a large table that takes long and
              costs a request for each 1,000 rows.
            </p>
            <button type="button" onClick={() => go({ ...first, isScan: true }, [])}>
              Scan the table
            </button>
          </div>
        ) : isOfView && plan.failure !== undefined ? undefined : (
          <>
            <Toolbar
              read={read}
              known={known}
              onReload={reload}
              onInsert={facts.isWritable ? () => setDraft({}) : undefined}
            />
            <SelectionBar
              facts={facts}
              rows={[...selected.values()]}
              known={known}
              onChanged={reload}
              onClear={() => setSelected(NONE)}
            />
            <RowTable
              facts={facts}
              read={read}
              selected={facts.isWritable ? { rows: selected, onChange: setSelected } : undefined}
            />
            <div class="pager">
              {view.token !== undefined && (
                <ViewLink view={first} trail={[]} class="button">
                  First page
                </ViewLink>
              )}
              {back && (
                <ViewLink view={back} trail={trail.slice(0, -1)} class="button">
                  Previous page
                </ViewLink>
              )}
              {next && (
                <ViewLink view={next} trail={forward} class="button">
                  Next page
                </ViewLink>
              )}
            </div>
          </>
        )}
        <details class="commands">
          <summary>In a terminal</summary>
          <CommandLine
            text={queryCommand(facts.target, { ...view, isScan: view.isScan || needsScan })}
          />
          <CommandLine text={exportCommand(facts.target, view, 'ndjson')} />
        </details>
      </section>
      {draft ? (
        <InsertRow
          key={draft.from?.etag}
          facts={facts}
          table={table}
          known={known}
          from={draft.from}
          onSaved={({ partition, row }) => {
            reload()
            show({ partition, row })
          }}
          onOpen={show}
          onCancel={() => setDraft(undefined)}
        />
      ) : (
        view.open && (
          <RowPanel
            key={printView({ ...first, open: view.open })}
            facts={facts}
            address={{ table, ...view.open }}
            known={known}
            onChange={reload}
            onClone={(from) => setDraft({ from })}
            onClose={() => show(undefined)}
          />
        )
      )}
    </div>
  )
}
