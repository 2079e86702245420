import type { JSX } from 'preact'
import { addressOf } from './ask-server.ts'
import type { KnownProperty } from './complete-filter.ts'
import { useNavigation } from './navigation.tsx'
import type { ReadRows } from './use-rows.ts'
import { SIZES, type View } from './view.ts'

/** What stands above the rows. */
export interface ToolbarProps {
  readonly read: ReadRows
  readonly known: readonly KnownProperty[]
  readonly onReload: () => void
  /** Absent when rows may not be changed. */
  readonly onInsert: (() => void) | undefined
}

/** Says how many rows were read, and chooses columns, sizes and files. */
export function Toolbar({ read, known, onReload, onInsert }: ToolbarProps): JSX.Element {
  const { view, go } = useNavigation()
  const first: View = { ...view, token: undefined }
  const sizes = SIZES.includes(view.size) ? SIZES : [view.size, ...SIZES]
  return (
    <div class="toolbar">
      <p class="count" role="status">
        {countText(read)}
      </p>
      {read.isReading && (
        <button type="button" onClick={read.stop}>
          Stop
        </button>
      )}
      {onInsert && (
        <button type="button" onClick={onInsert}>
          Insert a row
        </button>
      )}
      <button type="button" class="quiet" onClick={onReload}>
        Reload
      </button>
      <Columns known={known} view={view} onChange={(columns) => go({ ...first, columns }, [])} />
      <label>
        Rows{' '}
        <select
          value={String(view.size)}
          onChange={(event) => go({ ...first, size: Number(event.currentTarget.value) }, [])}
        >
          {sizes.map((size) => (
            <option key={size} value={String(size)}>
              {size}
            </option>
          ))}
        </select>
      </label>
      <label class="check" title="Rows that @rowkey/patterns keeps beside yours">
        <input
          type="checkbox"
          checked={view.isKept}
          onChange={() => go({ ...first, isKept: !view.isKept }, [])}
        />
        Indexes, sums, messages
      </label>
      <span class="files">
        Save these rows:{' '}
        {['ndjson', 'csv'].map((format) => (
          <a key={format} class="button quiet" download href={fileAddress(view, read, format)}>
            {format.toUpperCase()}
          </a>
        ))}
      </span>
    </div>
  )
}

/** Prints a number of rows. */
export function countOf(rows: number): string {
  return `${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}`
}

function countText({ rows, requests, isReading, next }: ReadRows): string {
  const counted = countOf(rows.length)
  const sent = `${requests} ${requests === 1 ? 'request' : 'requests'}`
  if (requests === 0) return isReading ? 'Reading…' : ''
  if (isReading) return `Reading: ${counted} in ${sent}`
  return `${counted} in ${sent}${next === undefined ? '' : '; more follow'}`
}

/** The address of a file with the rows of the page. */
function fileAddress(view: View, { requests, rows }: ReadRows, format: string): string {
  const { table, filter, columns, size, token, isScan, isKept } = view
  return addressOf('export', {
    table,
    filter,
    columns: columns.join(','),
    size: String(rows.length || size),
    requests: String(requests || 1),
    token,
    scan: isScan ? '1' : undefined,
    kept: isKept ? '1' : undefined,
    format,
  })
}

const SYSTEM: readonly string[] = ['PartitionKey', 'RowKey', 'Timestamp']

function Columns(props: {
  readonly known: readonly KnownProperty[]
  readonly view: View
  readonly onChange: (columns: readonly string[]) => void
}): JSX.Element {
  const { known, view, onChange } = props
  const names = known.map(({ name }) => name).filter((name) => !SYSTEM.includes(name))
  const all = [...new Set([...view.columns, ...names])]
  const isShown = (name: string) => view.columns.length === 0 || view.columns.includes(name)
  const toggle = (name: string): void => {
    const shown = all.filter((each) => (each === name) !== isShown(each))
    onChange(shown.length === all.length ? [] : shown)
  }
  return (
    <details class="columns">
      <summary>
        Columns{view.columns.length > 0 ? ` (${view.columns.length} of ${all.length})` : ''}
      </summary>
      <fieldset>
        <legend>Only these are read</legend>
        {all.map((name) => (
          <label key={name} class="check">
            <input type="checkbox" checked={isShown(name)} onChange={() => toggle(name)} />
            {name}
          </label>
        ))}
      </fieldset>
    </details>
  )
}
