import type { FilterNode } from '@rowkey/odata'
import type { CallOptions } from '@rowkey/rest'
import { namesWithCall } from '../call-options.ts'

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

/** The names of {@link CreateOptions}. */
export const CREATE_OPTION_NAMES: readonly string[] = namesWithCall<CreateOptions>({
  waitForDeletion: true,
})

/** The options of listing tables. */
export interface TableListOptions extends CallOptions {
  /** List only tables whose names start with this text; case counts. */
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

/** The names of {@link TableListOptions}. */
export const LIST_OPTION_NAMES: readonly string[] = namesWithCall<TableListOptions>({
  filter: true,
  pageSize: true,
  prefix: true,
})

/** Which tables to list, and how many in one page. */
export interface TablesToList {
  /** The table with exactly this name. */
  readonly name?: string | undefined
  /** The beginning of the names. */
  readonly prefix?: string | undefined
  readonly filter?: FilterNode | undefined
  readonly pageSize?: number | undefined
}

/** One page of the names of an account's tables. */
export interface TableNamesPage {
  /** The names, in order; a page may be empty although more follow. */
  readonly names: readonly string[]
  /** Where the next page begins; `undefined` at the end. */
  readonly continuationToken: string | undefined
}
