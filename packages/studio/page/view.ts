/** The key of the row that is open. */
export interface OpenRow {
  readonly partition: string
  readonly row: string
}

/** What the page shows: its address has all of it, and nothing else. */
export interface View {
  /** The account's name or the path of its folder, so that a link does not show the rows of another account. */
  readonly account: string
  /** Absent for the list of tables. */
  readonly table?: string | undefined
  readonly filter: string
  /** The properties that are read; all when empty. */
  readonly columns: readonly string[]
  /** How many rows a page has. */
  readonly size: number
  /** Where the page begins; at the first row when absent. */
  readonly token?: string | undefined
  /** Whether the filter may scan. */
  readonly isScan: boolean
  /** Whether rows of indexes, sums and messages are shown, too. */
  readonly isKept: boolean
  readonly open?: OpenRow | undefined
}

/** How many rows a page has, unless the address says otherwise. */
export const DEFAULT_SIZE = 50

/** The sizes that the page offers. */
export const SIZES: readonly number[] = [20, 50, 100, 500, 1000]

/**
 * Reads a view from an address.
 *
 * @param path - the path
 * @param search - the query, with its `?`
 */
export function parseView(path: string, search: string): View {
  const [account = '', table] = path.slice(1).split('/').map(decoded)
  const query = new URLSearchParams(search)
  const size = Number(query.get('size'))
  const partition = query.get('partition')
  const row = query.get('row')
  return {
    account,
    table: table || undefined,
    filter: query.get('filter') ?? '',
    columns: (query.get('columns') ?? '').split(',').filter(Boolean),
    size: Number.isInteger(size) && size >= 1 && size <= 1000 ? size : DEFAULT_SIZE,
    token: query.get('token') ?? undefined,
    isScan: query.get('scan') === '1',
    isKept: query.get('kept') === '1',
    open: partition === null || row === null ? undefined : { partition, row },
  }
}

/** A path that is not well formed stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Prints the address of a view. {@link parseView} reads it. */
export function printView(view: View): string {
  const { account, table, filter, columns, size, token, isScan, isKept, open } = view
  const query = new URLSearchParams()
  if (filter !== '') query.set('filter', filter)
  if (columns.length > 0) query.set('columns', columns.join(','))
  if (size !== DEFAULT_SIZE) query.set('size', String(size))
  if (token !== undefined) query.set('token', token)
  if (isScan) query.set('scan', '1')
  if (isKept) query.set('kept', '1')
  if (open !== undefined) {
    query.set('partition', open.partition)
    query.set('row', open.row)
  }
  const text = query.toString()
  const path = [account, ...(table === undefined ? [] : [table])].map(encodeURIComponent).join('/')
  return `/${path}${text === '' ? '' : `?${text}`}`
}

/** The view of all rows of a table. */
export function tableView(account: string, table: string | undefined): View {
  return {
    account,
    table,
    filter: '',
    columns: [],
    size: DEFAULT_SIZE,
    isScan: false,
    isKept: false,
  }
}
