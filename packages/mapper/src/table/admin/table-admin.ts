import {
  type CallOptions,
  checkOptions,
  type SharedAccessSignature,
  type SweepOptions,
  type TableService,
  tableSas,
} from '@rowkey/rest'
import { CALL_OPTION_NAMES } from '../call-options.ts'
import { AccessPolicies } from './access-policies.ts'
import { CREATE_OPTION_NAMES, type CreateOptions } from './admin-options.ts'
import { sasTermsOf, TABLE_SAS_TERM_NAMES, type TableSasTerms } from './sas-terms-of.ts'

/** Creates, drops and finds one table of an account; {@link Table} documents its methods. */
export class TableAdmin {
  readonly #service: TableService
  readonly #table: string

  /**
   * @param service - the account of the table
   * @param table - the table's name, checked
   */
  constructor(service: TableService, table: string) {
    this.#service = service
    this.#table = table
  }

  /** Returns the stored access policies of the table. */
  get accessPolicies(): AccessPolicies {
    return new AccessPolicies(this.#service, this.#table)
  }

  /** Creates the table. */
  async create(options: CreateOptions): Promise<void> {
    this.#check(options, CREATE_OPTION_NAMES, 'create')
    return this.#call(options, (calls) => calls.createNew)
  }

  /** Creates the table unless it exists. */
  async createIfNotExists(options: CreateOptions): Promise<boolean> {
    this.#check(options, CREATE_OPTION_NAMES, 'createIfNotExists')
    return this.#call(options, (calls) => calls.createMissing)
  }

  /** Deletes the table. */
  async drop(options: CallOptions): Promise<void> {
    this.#check(options, CALL_OPTION_NAMES, 'drop')
    return this.#call(options, (calls) => calls.drop)
  }

  /** Deletes the table if it exists. */
  async dropIfExists(options: CallOptions): Promise<boolean> {
    this.#check(options, CALL_OPTION_NAMES, 'dropIfExists')
    return this.#call(options, (calls) => calls.dropExisting)
  }

  /** Tells whether the account lists the table. */
  async exists(options: CallOptions): Promise<boolean> {
    this.#check(options, CALL_OPTION_NAMES, 'exists')
    return this.#call(options, (calls) => calls.tableExists)
  }

  /** Deletes the old markers of exact writes. */
  async sweepMarkers(options: SweepOptions): Promise<number> {
    return this.#call(options, (calls) => calls.sweepTable)
  }

  /** Makes a shared access signature for the table. */
  sas(terms: TableSasTerms): SharedAccessSignature {
    this.#check(terms, TABLE_SAS_TERM_NAMES, 'sas')
    const { flavour } = this.#service.endpoint
    return tableSas({ ...terms, ...sasTermsOf(this.#service, terms), table: this.#table, flavour })
  }

  #call<Options extends object, Result>(
    options: Options,
    choose: (calls: AdminCalls) => AdminCall<Options, Result>,
  ): Promise<Result> {
    return adminCall(this.#service, this.#table, options, choose)
  }

  #check(options: object, names: readonly string[], method: string): void {
    checkOptions(options, names, `${method} of table ${this.#table}`)
  }
}

type AdminCalls = typeof import('./admin-calls.ts')

type AdminCall<Options, Result> = (
  service: TableService,
  table: string,
  options: Options,
) => Promise<Result>

/**
 * Loads the calls that create, list and drop tables, and makes one. It is pending from the beginning, so that closing the
 * account with `drain` waits for it.
 *
 * @param service - the account
 * @param table - the table's name
 * @param options - the options of the call
 * @param choose - chooses the call
 */
export function adminCall<Options extends object, Result>(
  service: TableService,
  table: string,
  options: Options,
  choose: (calls: AdminCalls) => AdminCall<Options, Result>,
): Promise<Result> {
  return service.pendingCalls.runSeries(options, async (call) =>
    choose(await import('./admin-calls.ts'))(service, table, call),
  )
}
