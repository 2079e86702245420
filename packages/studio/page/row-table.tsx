import type { JSX } from 'preact'
import { useMemo, useRef } from 'preact/hooks'
import type { ShownRow, ShownValue, StudioFacts } from '../src/server/wire.ts'
import { useNavigation, ViewLink } from './navigation.tsx'
import { keyOfRow, type Selection, selectionWith } from './selection.tsx'
import { columnsOf, propertyOf, type TableColumn, typesOf } from './table-columns.ts'
import type { ReadRows } from './use-rows.ts'

/** Colours of types, used in turn. */
const COLOURS = 6

/** The selected rows, and what changes them. */
interface Selected {
  readonly rows: Selection
  readonly onChange: (rows: Selection) => void
}

/** The rows of the page, in a table whose columns have types. */
export function RowTable(props: {
  readonly facts: StudioFacts
  readonly read: ReadRows
  /** Absent when rows may not be changed. */
  readonly selected: Selected | undefined
}): JSX.Element {
  const { facts, read, selected } = props
  const { view } = useNavigation()
  const body = useRef<HTMLTableSectionElement>(null)
  const types = typesOf(facts.types, view.table ?? '')
  const columns = useMemo(
    () => columnsOf(read.rows, view.columns, types),
    [read.rows, view.columns.join(','), view.table],
  )
  const kinds = types.length > 0 ? types.map(({ title }) => title) : undefined
  const move = (event: KeyboardEvent): void => {
    const step = STEPS[event.key]
    const links = [...(body.current?.querySelectorAll<HTMLElement>('th a') ?? [])]
    const at = links.indexOf(document.activeElement as HTMLElement)
    if (step === undefined || at < 0 || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    links[step === 'last' ? links.length - 1 : step === 'first' ? 0 : at + step]?.focus()
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section class="scroll" aria-label="Rows" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {selected && (
              <th scope="col" class="choice">
                <Choice label="Select all rows of the page" rows={read.rows} selected={selected} />
              </th>
            )}
            <Heading name="PartitionKey" property={propertyOf(types, 'PartitionKey')} />
            <Heading name="RowKey" property={propertyOf(types, 'RowKey')} />
            {kinds && <Heading name="Type" />}
            {columns.map((column) => (
              <Heading key={column.name} {...column} />
            ))}
            <Heading name="Timestamp" types={['DateTime']} />
          </tr>
        </thead>
        <tbody ref={body} onKeyDown={move}>
          {read.rows.map((row) => (
            <Row key={keyOfRow(row)} {...{ row, columns, kinds, selected }} />
          ))}
        </tbody>
      </table>
      {read.rows.length === 0 && !read.isReading && read.failure === undefined && (
        <p class="hint">No rows.</p>
      )}
    </section>
  )
}

/** How far keys move the focus between the rows. */
const STEPS: Readonly<Record<string, number | 'first' | 'last'>> = {
  ArrowDown: 1,
  j: 1,
  ArrowUp: -1,
  k: -1,
  Home: 'first',
  End: 'last',
}

function Heading(props: Partial<TableColumn> & { readonly name: string }): JSX.Element {
  const { name, property, types = [] } = props
  // Its cells have the stored key, from which the property is a part.
  const isKey = name === 'PartitionKey' || name === 'RowKey'
  return (
    <th scope="col">
      <span class="name">{isKey ? name : (property ?? name)}</span>
      {property !== undefined && <span class="stored">{isKey ? property : name}</span>}
      {types.length === 1 && <span class={`type type-${types[0]}`}>{types[0]}</span>}
      {types.length > 1 && <span class="type type-mixed">{types.length} types</span>}
    </th>
  )
}

/** Selects rows. All rows have their versions: one that was read without an ETag cannot be selected. */
function Choice(props: {
  readonly label: string
  readonly rows: readonly ShownRow[]
  readonly selected: Selected
}): JSX.Element {
  const { label, rows, selected } = props
  const versions = rows.flatMap(({ partition, row, etag }) =>
    etag === undefined ? [] : [{ partition, row, etag }],
  )
  const isChecked =
    versions.length > 0 && versions.every((each) => selected.rows.has(keyOfRow(each)))
  return (
    <input
      type="checkbox"
      aria-label={label}
      checked={isChecked}
      disabled={versions.length === 0}
      onChange={() => selected.onChange(selectionWith(selected.rows, versions, !isChecked))}
    />
  )
}

function Row(props: {
  readonly row: ShownRow
  readonly columns: readonly TableColumn[]
  readonly kinds: readonly string[] | undefined
  readonly selected: Selected | undefined
}): JSX.Element {
  const { row, columns, kinds, selected } = props
  const { view, go } = useNavigation()
  const open = { partition: row.partition, row: row.row }
  const isOpen = view.open?.partition === row.partition && view.open.row === row.row
  const values = new Map(row.values)
  const onClick = ({ target }: MouseEvent): void => {
    const isLink = target instanceof Element && target.closest('a, .choice') !== null
    const isSelecting = getSelection()?.isCollapsed === false
    if (!isLink && !isSelecting) go({ ...view, open })
  }
  return (
    // The link is what keys and screen readers use; a click anywhere in the row does the same.
    <tr class={isOpen ? 'open' : undefined} onClick={onClick}>
      {selected && (
        <td class="choice">
          <Choice label={`Select ${row.partition} / ${row.row}`} rows={[row]} selected={selected} />
        </td>
      )}
      <td class="key">{row.partition === '' ? <i class="empty">empty</i> : row.partition}</td>
      <th scope="row">
        <ViewLink view={{ ...view, open }} current={isOpen ? 'true' : undefined}>
          {row.row === '' ? <i class="empty">empty</i> : row.row}
        </ViewLink>
      </th>
      {kinds && (
        <td>
          {row.kind && (
            <span class={`kind kind-${kinds.indexOf(row.kind) % COLOURS}`}>{row.kind}</span>
          )}
        </td>
      )}
      {columns.map(({ name, types }) => (
        <Cell key={name} value={values.get(name)} isMixed={types.length > 1} />
      ))}
      <td class="value-DateTime">{row.timestamp}</td>
    </tr>
  )
}

/** A value; its type stands beside it where the values of the column have several. */
function Cell(props: {
  readonly value: ShownValue | undefined
  readonly isMixed: boolean
}): JSX.Element {
  const { value, isMixed } = props
  if (value === undefined) return <td class="missing" />
  const { type, text, length } = value
  return (
    <td class={`value-${type}`}>
      {text === '' ? <i class="empty">empty</i> : text}
      {length !== undefined && <span class="cut"> … {length.toLocaleString('en')} characters</span>}
      {isMixed && ' '}
      {isMixed && <span class={`type type-${type}`}>{type}</span>}
    </td>
  )
}
