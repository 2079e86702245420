import {
  type ConnectionSettings,
  type Credential,
  type Endpoint,
  type HttpMethod,
  type HttpRequest,
  type HttpResponse,
  parseConnectionString,
  type Transport,
} from '@rowkey/rest'

/** What a request says beyond its method and target. */
export interface Said {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | object
}

/** Speaks the protocol, byte by byte as a scenario wants it, with requests signed by the account's key. */
export class ServiceClient {
  readonly endpoint: Endpoint
  readonly #credential: Credential
  readonly #transport: Transport

  /**
   * @param address - a connection string, or what is in one
   * @param transport - sends the requests
   */
  constructor(address: string | ConnectionSettings, transport: Transport) {
    const { endpoint, credential } =
      typeof address === 'string' ? parseConnectionString(address) : address
    this.endpoint = endpoint
    this.#credential = credential
    this.#transport = transport
  }

  /** Sends one request to a resource of the account: `send('GET', "/people()?$top=1")`. */
  async send(method: string, target: string, said: Said = {}): Promise<HttpResponse> {
    const { origin, basePath } = this.endpoint
    const [below = '', query = ''] = target.split(/\?(.*)/s)
    const { headers = {}, body } = said
    const request = {
      // A scenario may also ask with verbs that the client never uses.
      method: method as HttpMethod,
      origin,
      path: basePath + below,
      query,
      headers: {
        accept: 'application/json;odata=minimalmetadata',
        'x-ms-version': '2019-02-02',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: typeof body === 'object' ? JSON.stringify(body) : body,
    }
    const signed = await this.#credential.authorize(request, this.endpoint, Date.now())
    return this.sendUnsigned(signed)
  }

  /** Sends a request as it is. */
  sendUnsigned(request: HttpRequest): Promise<HttpResponse> {
    return this.#transport(request)
  }
}

/** Status and code of a refusal. */
export function refusalOf({ status, body }: HttpResponse): readonly [number, string] {
  return [status, JSON.parse(body)['odata.error'].code]
}

/** A body that is JSON. */
export function jsonOf({ body }: HttpResponse): Record<string, unknown> {
  return JSON.parse(body)
}

/** The rows of a page as `PartitionKey/RowKey`. */
export function keysOf({ body }: HttpResponse): readonly string[] {
  const { value } = JSON.parse(body) as { value: Record<string, string>[] }
  return value.map((row) => `${row.PartitionKey}/${row.RowKey}`)
}

/** Percent-encodes text for a query or a key. */
export const encode: (text: string) => string = encodeURIComponent
