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
import { adminCall, type Choice } from './load-calls.ts'
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
    return this.#call('create', options, CREATE_OPTION_NAMES, (calls) => calls.createNew)
  }

  /** Creates the table unless it exists. */
  async createIfNotExists(options: CreateOptions): Promise<boolean> {
    return this.#call(
      'createIfNotExists',
      options,
      CREATE_OPTION_NAMES,
      (calls) => calls.createMissing,
    )
  }

  /** Deletes the table. */
  async drop(options: CallOptions): Promise<void> {
    return this.#call('drop', options, CALL_OPTION_NAMES, (calls) => calls.drop)
  }

  /** Deletes the table if it exists. */
  async dropIfExists(options: CallOptions): Promise<boolean> {
    return this.#call('dropIfExists', options, CALL_OPTION_NAMES, (calls) => calls.dropExisting)
  }

  /** Tells whether the account lists the table. */
  async exists(options: CallOptions): Promise<boolean> {
    return this.#call('exists', options, CALL_OPTION_NAMES, (calls) => calls.tableExists)
  }

  /** Deletes the old markers of exact writes. */
  async sweepMarkers(options: SweepOptions): Promise<number> {
    return adminCall(this.#service, this.#table, options, (calls) => calls.sweepTable)
  }

  /** Makes a shared access signature for the table. */
  sas(terms: TableSasTerms): SharedAccessSignature {
    this.#check(terms, TABLE_SAS_TERM_NAMES, 'sas')
    const { flavour } = this.#service.endpoint
    return tableSas({ ...terms, ...sasTermsOf(this.#service, terms), table: this.#table, flavour })
  }

  #call<Options extends CallOptions, Result>(
    method: string,
    options: Options,
    names: readonly string[],
    choose: Choice<Options, Result>,
  ): Promise<Result> {
    this.#check(options, names, method)
    return adminCall(this.#service, this.#table, options, choose)
  }

  #check(options: object, names: readonly string[], method: string): void {
    checkOptions(options, names, `${method} of table ${this.#table}`)
  }
}
