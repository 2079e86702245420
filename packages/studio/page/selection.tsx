import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ChangedSelection, Failure, SelectedRow, StudioFacts } from '../src/server/wire.ts'
import { failureOf, send } from './ask-server.ts'
import { CommandLine } from './command-box.tsx'
import { changeAllCommand } from './command-line.ts'
import type { KnownProperty } from './complete-filter.ts'
import { FieldList } from './field-list.tsx'
import { useNavigation } from './navigation.tsx'
import { Problem } from './problem.tsx'
import { changesOf, emptyField, type RowField } from './row-fields.ts'
import { countOf } from './toolbar.tsx'

/** What happens to the rows of a selection. */
type Change = 'delete' | 'edit'

/** Says how many rows are selected, and changes them. */
export function SelectionBar(props: {
  readonly facts: StudioFacts
  readonly rows: readonly SelectedRow[]
  readonly known: readonly KnownProperty[]
  readonly onChanged: () => void
  readonly onClear: () => void
}): JSX.Element | null {
  const { facts, rows, known, onChanged, onClear } = props
  const [change, setChange] = useState<Change>()
  if (rows.length === 0) return null
  return (
    <div class="selection">
      <p role="status">{countOf(rows.length)} selected</p>
      <button type="button" onClick={() => setChange('edit')}>
        Set a property
      </button>
      <button type="button" class="danger" onClick={() => setChange('delete')}>
        Delete
      </button>
      <button type="button" class="quiet" onClick={onClear}>
        Select none
      </button>
      {change && (
        <ChangeSelection
          facts={facts}
          change={change}
          rows={rows}
          known={known}
          onClose={(isChanged) => {
            setChange(undefined)
            if (isChanged) onChanged()
          }}
        />
      )}
    </div>
  )
}

/** How many keys the question shows. */
const SHOWN = 5

/** Asks before it changes rows, each in the version that was read, and names those that stayed as they are. */
function ChangeSelection(props: {
  readonly facts: StudioFacts
  readonly change: Change
  readonly rows: readonly SelectedRow[]
  readonly known: readonly KnownProperty[]
  readonly onClose: (isChanged: boolean) => void
}): JSX.Element {
  const { facts, change, rows, known, onClose } = props
  const { view } = useNavigation()
  const dialog = useRef<HTMLDialogElement>(null)
  const [fields, setFields] = useState<readonly RowField[]>(() =>
    change === 'edit' ? [emptyField(0)] : [],
  )
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const [result, setResult] = useState<ChangedSelection>()
  useEffect(() => dialog.current?.showModal(), [])
  const { set, problem } = changesOf(fields)
  const { table = '' } = view
  const run = async (event: Event): Promise<void> => {
    event.preventDefault()
    setSending(true)
    try {
      const body = { table, rows, ...(change === 'edit' && { set }) }
      const changed = await send<ChangedSelection>(`${change}-rows`, body)
      if (changed.failed === 0) close(true)
      else setResult(changed)
    } catch (error) {
      setFailure(failureOf(error))
    } finally {
      setSending(false)
    }
  }
  const close = (isChanged: boolean): void => {
    dialog.current?.close()
    onClose(isChanged)
  }
  const verb = change === 'delete' ? 'Delete' : 'Change'
  return (
    <dialog
      ref={dialog}
      aria-labelledby="selection-title"
      onCancel={() => onClose(result !== undefined)}
    >
      <h2 id="selection-title">
        {result === undefined
          ? `${verb} ${countOf(rows.length)} of ${table}?`
          : `${verb}d ${countOf(result.done)}; ${countOf(result.failed)} stayed as ${result.failed === 1 ? 'it is' : 'they are'}`}
      </h2>
      {result === undefined ? (
        <form class="edit" onSubmit={run}>
          <ul class="keys-of-rows">
            {rows.slice(0, SHOWN).map(({ partition, row }) => (
              <li key={JSON.stringify([partition, row])}>
                <code>{partition}</code> / <code>{row}</code>
              </li>
            ))}
            {rows.length > SHOWN && <li>and {(rows.length - SHOWN).toLocaleString('en')} more</li>}
          </ul>
          {change === 'edit' && <FieldList fields={fields} known={known} onChange={setFields} />}
          {problem !== undefined && fields.some(({ name }) => name !== '') && (
            <p class="wrong">{problem}</p>
          )}
          {failure && <Problem failure={failure} />}
          <div class="buttons">
            <button type="button" onClick={() => close(false)}>
              Cancel
            </button>
            <button
              type="submit"
              class={change === 'delete' ? 'danger' : 'main'}
              disabled={
                isSending || problem !== undefined || (change === 'edit' && set.length === 0)
              }
            >
              {verb} {countOf(rows.length)}
            </button>
          </div>
          {(change === 'delete' || set.length > 0) && (
            <>
              <p class="hint">Only these rows change. For all rows of the filter:</p>
              <CommandLine text={changeAllCommand(facts.target, view, set)} />
            </>
          )}
        </form>
      ) : (
        <Outcome result={result} onClose={() => close(true)} />
      )}
    </dialog>
  )
}

/** Names the rows that stayed as they are, and why. */
function Outcome(props: {
  readonly result: ChangedSelection
  readonly onClose: () => void
}): JSX.Element {
  const { failed, failures } = props.result
  const others = failed - failures.length
  return (
    <>
      <div role="alert">
        <ul class="keys-of-rows">
          {failures.map(({ partition, row, message }) => (
            <li key={JSON.stringify([partition, row])}>
              <code>{partition}</code> / <code>{row}</code>: {message}
            </li>
          ))}
          {others > 0 && <li>and {others.toLocaleString('en')} more</li>}
        </ul>
      </div>
      <div class="buttons">
        <button type="button" onClick={props.onClose}>
          Close
        </button>
      </div>
    </>
  )
}

/** The rows that are selected, by their keys. */
export type Selection = ReadonlyMap<string, SelectedRow>

/** Finds a row in a selection. */
export function keyOfRow({ partition, row }: Pick<SelectedRow, 'partition' | 'row'>): string {
  return JSON.stringify([partition, row])
}

/** Adds rows to a selection, or takes them out of it. */
export function selectionWith(
  selection: Selection,
  rows: readonly SelectedRow[],
  isSelected: boolean,
): Selection {
  const next = new Map(selection)
  for (const row of rows) {
    if (isSelected) next.set(keyOfRow(row), row)
    else next.delete(keyOfRow(row))
  }
  return next
}
