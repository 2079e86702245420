import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Failure, RowAddress, ShownRow, ShownValue, StudioFacts } from '../src/server/wire.ts'
import { ask, failureOf } from './ask-server.ts'
import { CommandLine } from './command-box.tsx'
import { getCommand } from './command-line.ts'
import type { KnownProperty } from './complete-filter.ts'
import { DeleteRow } from './delete-row.tsx'
import { EditRow } from './edit-row.tsx'
import { useSingleKeys } from './keys.tsx'
import { Problem } from './problem.tsx'
import { propertyOf, typesOf } from './table-columns.ts'

/** What the panel of a row needs. */
export interface RowPanelProps {
  readonly facts: StudioFacts
  readonly address: RowAddress
  readonly known: readonly KnownProperty[]
  /** Called when the row was changed or deleted. */
  readonly onChange: () => void
  /** Called with the whole row that a new one is to be like. */
  readonly onClone: (row: ShownRow) => void
  readonly onClose: () => void
}

/** What happens to the row. */
type Mode = 'show' | 'edit' | 'delete'

/** One row with all of its properties. */
export function RowPanel(props: RowPanelProps): JSX.Element {
  const { facts, address, known, onChange, onClone, onClose } = props
  const title = useRef<HTMLHeadingElement>(null)
  const [row, setRow] = useState<ShownRow>()
  const [mode, setMode] = useState<Mode>('show')
  const [failure, setFailure] = useState<Failure>()
  const [done, setDone] = useState('')
  const read = async (whole?: '1'): Promise<ShownRow | undefined> => {
    try {
      const found = await ask<ShownRow>('row', { ...address, whole })
      setRow(found)
      return found
    } catch (error) {
      setFailure(failureOf(error))
      return undefined
    }
  }
  useEffect(() => {
    void read()
    title.current?.focus()
  }, [])
  const close = (): void => {
    const link = document.querySelector<HTMLElement>('tr.open a')
    onClose()
    link?.focus()
  }
  /** Changes need every value whole, and the version of now. */
  const begin = async (next: Mode): Promise<void> => {
    setDone('')
    if ((await read('1')) !== undefined) setMode(next)
  }
  const clone = async (): Promise<void> => {
    const whole = await read('1')
    if (whole !== undefined) onClone(whole)
  }
  const leave = (shown: ShownRow | null): void => {
    setMode('show')
    title.current?.focus()
    if (shown !== row) onChange()
    if (shown === null) close()
    else setRow(shown)
  }
  const canChange = facts.isWritable && row !== undefined && mode === 'show'
  useSingleKeys({
    Escape: mode === 'show' ? close : undefined,
    e: canChange ? () => begin('edit') : undefined,
  })
  return (
    <aside aria-labelledby="row-title">
      <header>
        <h2 id="row-title" tabIndex={-1} ref={title}>
          {address.partition} <span class="slash">/</span> {address.row}
        </h2>
        <button type="button" class="quiet" onClick={close}>
          Close
        </button>
      </header>
      {canChange && (
        <div class="buttons">
          <button type="button" onClick={() => begin('edit')}>
            Edit
          </button>
          <button type="button" onClick={clone}>
            Clone
          </button>
          <button type="button" class="danger" onClick={() => begin('delete')}>
            Delete
          </button>
        </div>
      )}
      <p class="done" role="status">
        {done}
      </p>
      {failure && <Problem failure={failure} />}
      {row && mode === 'edit' ? (
        <EditRow
          facts={facts}
          address={address}
          known={known}
          row={row}
          onCancel={leave}
          onSaved={(saved) => {
            leave(saved)
            setDone('Saved.')
          }}
        />
      ) : (
        row && <Properties facts={facts} address={address} row={row} />
      )}
      {row && mode === 'delete' && (
        <DeleteRow
          facts={facts}
          address={address}
          row={row}
          onCancel={leave}
          onDeleted={() => leave(null)}
        />
      )}
      {mode === 'show' && <CommandLine text={getCommand(facts.target, address)} />}
    </aside>
  )
}

function Properties(props: {
  readonly facts: StudioFacts
  readonly address: RowAddress
  readonly row: ShownRow
}): JSX.Element {
  const { facts, address, row } = props
  const types = typesOf(facts.types, address.table).filter(
    ({ title }) => row.kind === undefined || title === row.kind,
  )
  return (
    <>
      <dl class="facts">
        {row.kind && <Fact name="Type" text={row.kind} />}
        <Fact name="Timestamp" text={row.timestamp ?? ''} />
        <Fact name="ETag" text={row.etag ?? ''} />
        <Fact name="Size" text={`${(row.size ?? 0).toLocaleString('en')} bytes`} />
      </dl>
      <table class="properties">
        <thead>
          <tr>
            <th scope="col">Property</th>
            <th scope="col">Type</th>
            <th scope="col">Value</th>
          </tr>
        </thead>
        <tbody>
          {row.values.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">
                {propertyOf(types, name) ?? name}
                {propertyOf(types, name) !== undefined && <span class="stored">{name}</span>}
              </th>
              <td>
                <span class={`type type-${value.type}`}>{value.type}</span>
              </td>
              <td>
                <WholeValue address={address} name={name} value={value} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

function Fact(props: { readonly name: string; readonly text: string }): JSX.Element {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd>{props.text}</dd>
    </div>
  )
}

/** A value; the rest of a long one is read when the reader asks for it. */
function WholeValue(props: {
  readonly address: RowAddress
  readonly name: string
  readonly value: ShownValue
}): JSX.Element {
  const { address, name, value } = props
  const [whole, setWhole] = useState<ShownValue>()
  const [failure, setFailure] = useState<Failure>()
  const load = (): void => {
    ask<ShownValue>('value', { ...address, name })
      .then(setWhole)
      .catch((error) => setFailure(failureOf(error)))
  }
  const { text, length } = whole ?? value
  return (
    <>
      {text === '' ? <i class="empty">empty</i> : <span class="text">{text}</span>}
      {length !== undefined && (
        <button type="button" class="quiet" onClick={load}>
          Show all {length.toLocaleString('en')} characters
        </button>
      )}
      {failure && <Problem failure={failure} />}
    </>
  )
}
