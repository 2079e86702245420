import {
  anything,
  type DeclaredOptions,
  declareOptions,
  type FilterNode,
  rule,
} from '@rowkey/odata'
import { type CallOptions, callOptions } from '@rowkey/rest'

/** The options of creating a table. */
export interface CreateOptions extends CallOptions {
  /**
   * How long to wait, in milliseconds, while the service still deletes a table of the same name;
   * `true` means two minutes. The call asks again after 1, 2, 4 and then every 5 seconds.
   *
   * @defaultValue `false`: a ServiceError with the code `TableBeingDeleted`
   */
  readonly waitForDeletion?: boolean | number | undefined
}

export const createOptions: DeclaredOptions<CreateOptions> = declareOptions<CreateOptions>({
  ...callOptions.rules,
  waitForDeletion: rule(
    'true, false, or a whole number of milliseconds',
    (given) => typeof given === 'boolean' || (Number.isInteger(given) && Number(given) >= 0),
  ),
})

/** The options of listing tables. */
export interface TableListOptions extends CallOptions {
  /** List only tables whose names start with this text. Its case counts on Cosmos DB only, as that of names does. */
  readonly prefix?: string | undefined
  /** List only tables that match this condition on `TableName`, from the `filter` tag. */
  readonly filter?: FilterNode | undefined
  /**
   * The most names in one page: 1 to 1,000. The service may return fewer.
   *
   * @defaultValue as many as the service returns: 1,000
   */
  readonly pageSize?: number | undefined
}

export const listOptions: DeclaredOptions<TableListOptions> = declareOptions<TableListOptions>({
  ...callOptions.rules,
  filter: rule(
    "a condition from the template function filter, such as filter`TableName ge 'm'`",
    (given) => typeof given === 'object' && given !== null,
  ),
  pageSize: anything,
  prefix: rule('a text', (given) => typeof given === 'string'),
})

/** One page of the names of an account's tables. */
export interface TableNamesPage {
  /** The names, in order; a page may be empty although more follow. */
  readonly names: readonly string[]
  /** Where the next page begins; `undefined` at the end. */
  readonly continuationToken: string | undefined
}
