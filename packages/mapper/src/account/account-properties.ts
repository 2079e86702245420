import {
  type CallOptions,
  callOptions,
  getServiceProperties,
  perform,
  type ServiceProperties,
  setServiceProperties,
  type TableService,
} from '@rowkey/rest'

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

  /**
   * Reads all properties.
   *
   * Requests: `1`.
   */
  async get(options: CallOptions = {}): Promise<ServiceProperties> {
    callOptions.check(options, 'get of the properties of an account')
    return perform(this.#service, getServiceProperties, {}, options)
  }

  /**
   * Changes some properties and keeps the others. A change takes effect within 30 seconds.
   *
   * Requests: `1`.
   *
   * @param properties - `logging`, `hourMetrics`, `minuteMetrics` or `cors`, each complete
   * @throws InputError (`InvalidServiceProperties`) for properties that the service would reject; nothing
   * is sent then
   */
  async set(properties: ServiceProperties, options: CallOptions = {}): Promise<void> {
    callOptions.check(options, 'set of the properties of an account')
    await perform(this.#service, setServiceProperties, properties, options)
  }
}
