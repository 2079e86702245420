import type { DeclaredOptions } from '@rowkey/odata'
import {
  type CallOptions,
  callOptions,
  createTable,
  createTableIfNotExists,
  deleteTable,
  deleteTableIfExists,
  type Operation,
  perform,
  type SharedAccessSignature,
  type SweepOptions,
  sweepMarkers,
  type TableAddress,
  type TableService,
  tableSas,
} from '@rowkey/rest'
import { AccessPolicies } from './access-policies.ts'
import { type CreateOptions, createOptions } from './admin-options.ts'
import { createWaiting } from './create-waiting.ts'
import { tableExists } from './list-tables.ts'
import { sasTermsOf, type TableSasTerms, tableSasTerms } from './sas-terms-of.ts'

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
    await this.#create('create', createTable, options)
  }

  /** Creates the table unless it exists. */
  async createIfNotExists(options: CreateOptions): Promise<boolean> {
    return this.#create('createIfNotExists', createTableIfNotExists, options)
  }

  /** Deletes the table. */
  async drop(options: CallOptions): Promise<void> {
    this.#check(options, callOptions, 'drop')
    await perform(this.#service, deleteTable, { table: this.#table }, options)
  }

  /** Deletes the table if it exists. */
  async dropIfExists(options: CallOptions): Promise<boolean> {
    this.#check(options, callOptions, 'dropIfExists')
    return perform(this.#service, deleteTableIfExists, { table: this.#table }, options)
  }

  /** Tells whether the account lists the table. */
  async exists(options: CallOptions): Promise<boolean> {
    this.#check(options, callOptions, 'exists')
    return tableExists(this.#service, this.#table, options)
  }

  /** Deletes the old markers of exact writes. */
  async sweepMarkers(options: SweepOptions): Promise<number> {
    const service = this.#service
    return service.pendingCalls.runSeries(service.withDeadline(options), (call) =>
      sweepMarkers((...each) => perform(service, ...each), this.#table, call),
    )
  }

  /** Makes a shared access signature for the table. */
  sas(terms: TableSasTerms): SharedAccessSignature {
    this.#check(terms, tableSasTerms, 'sas')
    const { flavour } = this.#service.endpoint
    return tableSas({ ...terms, ...sasTermsOf(this.#service, terms), table: this.#table, flavour })
  }

  #create<Output>(
    method: string,
    operation: Operation<TableAddress, Output>,
    options: CreateOptions,
  ): Promise<Awaited<Output>> {
    this.#check(options, createOptions, method)
    return createWaiting(this.#service, operation, this.#table, options)
  }

  #check<Options>(options: Options, declared: DeclaredOptions<Options>, method: string): void {
    declared.check(options, `${method} of table ${this.#table}`)
  }
}
