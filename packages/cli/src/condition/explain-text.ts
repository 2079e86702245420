import { LIST_PRICE, priceOf, type QueryPlan, type RequestRange } from '@rowkey/query'
import { keptMark } from '@rowkey/rest'
import { withoutControls } from '../shell/without-controls.ts'

/** Which price {@link priceText} calculates with. */
export const PRICE_TEXT: string = `at the list price of ${LIST_PRICE.service}`

/**
 * Returns what requests cost, as text.
 *
 * @param requests - how many
 */
export function priceText(requests: number): string {
  const dollars = priceOf(requests)
  return dollars < 0.01 ? 'less than 0.01 USD' : `${dollars.toFixed(2)} USD`
}

/** What `--explain` says of a query. It sends nothing. */
export interface Explanation {
  /** The table. */
  readonly table: string
  /** How the service finds the rows. */
  readonly plan: QueryPlan['plan']
  /** The filter as it is sent; absent without one. */
  readonly filter?: string | undefined
  /** The properties that are read; absent for all. */
  readonly select?: readonly string[] | undefined
  /** Why, and what would be cheaper. */
  readonly reasons: readonly string[]
  /** What is wrong with the query. */
  readonly warnings: readonly string[]
  /** How many requests the query sends. */
  readonly requests: string
  /** What they cost. */
  readonly cost: string
}

/** Explains a query. */
export function explanation(table: string, plan: QueryPlan): Explanation {
  return {
    table,
    plan: plan.plan,
    filter: plan.filter,
    select: plan.select,
    reasons: plan.reasons,
    warnings: (plan.warnings ?? []).map(inOptions),
    requests: requestsText(plan.requests),
    cost:
      plan.dollars === undefined
        ? 'request units: Cosmos DB does not bill requests'
        : `about ${priceOf(1e6)} USD for a million requests ${PRICE_TEXT}`,
  }
}

function requestsText({ least, most }: RequestRange): string {
  if (most === undefined) {
    return `${least}, and 1 more for each 1,000 rows found, each 5 seconds of reading, and some borders of partitions`
  }
  return least === most ? String(least) : `${least} to ${most}`
}

/** Prints an {@link Explanation} in lines. */
export function explanationText(given: Explanation): string {
  const { reasons, warnings, select, ...single } = given
  const lines = [
    ...Object.entries({ ...single, select: select?.join(',') }),
    ...reasons.map((reason) => ['reason', reason]),
    ...warnings.map((warning) => ['warning', warning]),
  ]
  return lines
    .filter(([, text]) => text !== undefined)
    .map(([name = '', text = '']) => `${`${name}:`.padEnd(10)}${withoutControls(text)}\n`)
    .join('')
}

const WITHOUT_KEPT = `RowKey lt '${keptMark}' or RowKey ge '~rk\x7f'`

/**
 * Names the option of the command in place of the method or property of the library that does the same.
 *
 * @param text - a message of the library
 */
export function inOptions(text: string): string {
  return (
    text
      .replaceAll(/(?:call )?\.allowTableScan\(\)/g, '--scan')
      .replace('unless you --scan', 'without --scan')
      .replace('connect() cannot open', 'The command cannot open')
      .replace(
        ', or pass { endpoint, credential }: { name, key } or new DefaultAzureCredential().',
        ', or give --auth entra.',
      )
      .replace(', or { endpoint, credential }.', ', a folder such as ./data, or a @profile.')
      .replace(
        "Give 'memory:' or 'file:./data' for an embedded service, a connection string",
        'Give a connection string',
      )
      .replace('with create()', 'with rowkey create, or --create of import and copy')
      .replace('for example with @StoreAs.', 'such as --rename of import and copy.')
      .replace(
        'Escape it, for example with :escaped in a key template.',
        'Choose a key without it.',
      )
      // The condition that leaves kept rows out is not the user's.
      .replace(` Its filter is: ${WITHOUT_KEPT}.`, '')
      .replace(` and (${WITHOUT_KEPT})`, '')
      .replace(
        /^\.filterLocally drops rows after/,
        'Cosmos DB matches no row by its Timestamp, so other rows are dropped after',
      )
      .replace(/^\.filterLocally on (\S+) uses/, 'The filter on $1 uses')
      .replace('which .select does', 'which --select does')
      .replace("set flavour: 'storage'", 'give --flavour storage')
      .replace(' Correct and repeat those of summary.failures.', '')
  )
}
