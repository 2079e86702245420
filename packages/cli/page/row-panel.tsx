import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Failure, RowAddress, ShownRow, ShownValue, StudioFacts } from '../src/studio/wire.ts'
import { ask, failureOf } from './ask-server.ts'
import { CommandLine } from './command-box.tsx'
import { getCommand } from './command-line.ts'
import { useSingleKeys } from './keys.tsx'
import { Problem } from './problem.tsx'
import { propertyOf, typesOf } from './table-columns.ts'

/** What the panel of a row needs. */
export interface RowPanelProps {
  readonly facts: StudioFacts
  readonly address: RowAddress
  /** Called when the row was changed. */
  readonly onChange: () => void
  readonly onClose: () => void
}

/** One row with all of its properties. */
export function RowPanel({ facts, address, onClose }: RowPanelProps): JSX.Element {
  const title = useRef<HTMLHeadingElement>(null)
  const [row, setRow] = useState<ShownRow>()
  const [failure, setFailure] = useState<Failure>()
  useEffect(() => {
    ask<ShownRow>('row', { ...address })
      .then(setRow)
      .catch((error) => setFailure(failureOf(error)))
    title.current?.focus()
  }, [])
  const close = (): void => {
    onClose()
    // The focus goes back to the link of the row.
    requestAnimationFrame(() => document.querySelector<HTMLElement>('tr.open a, tbody a')?.focus())
  }
  useSingleKeys({ Escape: close })
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
      {failure && <Problem failure={failure} />}
      {row && <Properties facts={facts} address={address} row={row} />}
      <CommandLine text={getCommand(facts.target, address)} />
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
