import {
  chosenPlan,
  chosenQuery,
  cliInputError,
  explanation,
  lacksPermission,
  printRows,
  type RowChoice,
} from '@rowkey/cli'
import { parseFilter } from '@rowkey/odata'
import type { Account, DynamicEntity } from 'rowkey'
import type { RowTypes } from './row-types.ts'
import { SHOWN_IN_LIST, SHOWN_IN_ROW, shownRow, shownValue } from './shown-row.ts'
import {
  optionalText,
  placeOf,
  type StudioApi,
  StudioFile,
  type StudioInput,
  sizeOf,
  textOf,
} from './studio-input.ts'
import type { ShownPlan, ShownRows } from './wire.ts'

/** The most tables that are listed. */
const MOST_TABLES = 5_000

/** Plans that may read many more rows than they find. */
const SCANS: readonly string[] = ['tableRange', 'tableScan']

/**
 * Answers what the page reads.
 *
 * @param account - the account
 * @param types - the types of the models that were loaded
 */
export function readApi(account: Account, types: RowTypes): StudioApi {
  return {
    'GET /api/tables': async ({ signal }) => ({ tables: await tableNames(account, signal) }),

    'GET /api/plan': async (input) => planOf(account, input),

    async 'GET /api/rows'(input): Promise<ShownRows> {
      const table = textOf(input, 'table')
      const { rows, next } = await nextRows(account, input, optionalText(input, 'token'))
      const shown = rows.map((row) => {
        const kind = types.kindOf(row, table)
        return shownRow(row, { limit: SHOWN_IN_LIST, isWhole: false, kind })
      })
      return { rows: shown, next }
    },

    async 'GET /api/row'(input) {
      const limit = optionalText(input, 'whole') ? Number.POSITIVE_INFINITY : SHOWN_IN_ROW
      const place = placeOf(input)
      const found = await account.table(place.table).get(place, { signal: input.signal })
      return shownRow(found, { limit, isWhole: true, kind: types.kindOf(found, place.table) })
    },

    async 'GET /api/value'(input) {
      const place = placeOf(input)
      const name = textOf(input, 'name')
      const found = await account.table(place.table).get(place, { signal: input.signal })
      const property = found.get(name)
      if (property !== undefined) return shownValue(property, Number.POSITIVE_INFINITY)
      throw cliInputError('InvalidArgument', `The row no longer has the property ${name}.`)
    },

    'GET /api/export': (input) => exportRows(account, input),
  }
}

/**
 * Lists tables.
 *
 * @param account - the account
 * @param signal - cancels the requests
 * @returns their names, at most 5,000; `undefined` when the credential may not list tables
 */
export async function tableNames(
  account: Account,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const names: string[] = []
  try {
    for await (const name of account.tables({ signal })) {
      if (names.push(name) === MOST_TABLES) break
    }
    return names
  } catch (error) {
    // A signature for one table is a good credential, too.
    if (lacksPermission(error)) return undefined
    throw error
  }
}

/** Reads which rows a view shows. */
function choiceOf(input: StudioInput): RowChoice {
  const filter = optionalText(input, 'filter')
  const columns = optionalText(input, 'columns')
  return {
    ...(filter?.trim() && { filter }),
    ...(columns && { select: columns }),
    ...(input.values.kept === '1' && { kept: true }),
  }
}

function planOf(account: Account, input: StudioInput): ShownPlan {
  const name = textOf(input, 'table')
  const choice = choiceOf(input)
  const plan = explanation(name, chosenPlan(account.table(name), choice))
  // One page of a table without a condition is one request.
  const isScan = choice.filter !== undefined && SCANS.includes(plan.plan)
  // The studio asks in place of the option.
  const warnings = plan.warnings.filter((text) => !text.includes('--scan'))
  return { ...plan, warnings, isScan }
}

/** Reads the rows of one response of the service. */
async function nextRows(
  account: Account,
  input: StudioInput,
  token: string | undefined,
): Promise<{ readonly rows: readonly DynamicEntity[]; readonly next: string | undefined }> {
  const query = chosenQuery(account.table(textOf(input, 'table')), choiceOf(input))
  const isAllowed =
    input.values.scan === '1' || parseFilter(optionalText(input, 'filter') ?? '') === undefined
  const allowed = isAllowed ? query.allowTableScan() : query
  const pages = allowed
    .pageSize(sizeOf(input))
    .byPage({ signal: input.signal, ...(token !== undefined && { continuationToken: token }) })
  for await (const { items, continuationToken } of pages) {
    return { rows: items, next: continuationToken }
  }
  return { rows: [], next: undefined }
}

/** The most requests of one file. */
const MOST_REQUESTS = 1_000

/** Prints the rows of a view: those that the page has read, by as many requests. */
async function exportRows(account: Account, input: StudioInput): Promise<StudioFile> {
  const format = textOf(input, 'format')
  if (format !== 'ndjson' && format !== 'csv') {
    throw cliInputError('InvalidArgument', 'format must be ndjson or csv.')
  }
  const size = sizeOf(input)
  const most = Math.min(Number(textOf(input, 'requests')) || 1, MOST_REQUESTS)
  const found: DynamicEntity[] = []
  let token = optionalText(input, 'token')
  for (let request = 0; request < most && found.length < size; request++) {
    const values = { ...input.values, size: String(size - found.length) }
    const { rows, next } = await nextRows(account, { ...input, values }, token)
    found.push(...rows)
    token = next
    if (next === undefined) break
  }
  const type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson'
  return new StudioFile(`${textOf(input, 'table')}.${format}`, type, printRows(found, format))
}
