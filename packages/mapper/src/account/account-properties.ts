import type { CallOptions, ServiceProperties, TableService } from '@rowkey/rest'
import { copied, xmlCall } from '../table/admin/load-calls.ts'

/**
 * The properties of an account's table service: logging, metrics and CORS rules, from {@link
 * Account.properties}. Cosmos DB does not have them.
 *
 * @example
 * ```ts
 * const { hourMetrics, cors } = await account.properties.get()
 * await account.properties.set({ hourMetrics: { enabled: true, retentionDays: 7 } })
 * ```
 */
export class AccountProperties {
  readonly #service: TableService

  /** @internal */
  constructor(service: TableService) {
    this.#service = service
  }

  /** Reads all properties. */
  async get(options: CallOptions = {}): Promise<ServiceProperties> {
    return xmlCall(this.#service, options, 'get of the properties of an account', (calls, call) =>
      calls.readProperties(this.#service, call),
    )
  }

  /**
   * Changes some properties and keeps the others. A change takes effect within 30 seconds.
   *
   * @param properties - `logging`, `hourMetrics`, `minuteMetrics` or `cors`, each complete
   * @throws InputError (`InvalidServiceProperties`) for properties that the service would reject; nothing
   * is sent then
   */
  async set(properties: ServiceProperties, options: CallOptions = {}): Promise<void> {
    const given = copied(properties)
    return xmlCall(this.#service, options, 'set of the properties of an account', (calls, call) =>
      calls.writeProperties(this.#service, given, call),
    )
  }
}
