import {
  anything,
  type DeclaredOptions,
  declareOptions,
  required,
  rule,
  showingText,
  wholeNumber,
} from '@rowkey/odata'

/** Options of {@link LocalTableService.listen}. */
export interface ListenOptions {
  /**
   * The TCP port; 0 takes a free one.
   *
   * @defaultValue 10002, the port of emulators
   */
  readonly port?: number | undefined
  /**
   * The address or host name to listen on.
   *
   * @defaultValue `127.0.0.1`, which only this machine can reach
   */
  readonly host?: string | undefined
  /**
   * More host names by which clients may call the listener, including all names below them. Always
   * allowed are addresses, names without a dot, names below `localhost`, `internal` and `test`, and
   * those of Azure's tables. Other names get 400 InvalidHeaderValue, so that a page on the web
   * cannot reach the service by pointing a name of its own here.
   *
   * @defaultValue none on loopback; any name when other machines can reach `host`
   *
   * @example
   * ```ts
   * await local.listen({ hosts: ['tables.example.com'] })
   * ```
   */
  readonly hosts?: readonly string[] | undefined
  /** Limits on slow clients, connections and memory. */
  readonly limits?: ListenLimits | undefined
  /**
   * The certificate of the listener, which then serves https alone. Clients must trust the certificate: on Node,
   * `NODE_EXTRA_CA_CERTS` names a file with one that signs itself.
   *
   * @defaultValue the listener serves http
   *
   * @example
   * ```ts
   * await local.listen({ tls: { cert: readFileSync('cert.pem', 'utf8'), key: readFileSync('key.pem', 'utf8') } })
   * ```
   */
  readonly tls?: ListenTls | undefined
}

/** The certificate of a listener. */
export interface ListenTls {
  /** The certificate, or the chain that begins with it: PEM text. */
  readonly cert: string
  /** The private key: PEM text without a password. */
  readonly key: string
}

/** The limits of a listener. They keep a client from taking its memory or its connections. */
export interface ListenLimits {
  /**
   * Milliseconds for a client to send its request, and again to read the response. A slower sender
   * gets 408 within a second; a slower reader is cut off.
   *
   * @defaultValue 30,000
   */
  readonly requestTimeout?: number | undefined
  /**
   * The most connections at one time. More are closed at once.
   *
   * @defaultValue 10,000
   */
  readonly connections?: number | undefined
  /**
   * The most bytes of request bodies and unread responses at one time, over all connections. A
   * request that does not fit gets 503 ServerBusy. One connection holds one request (at most 4 MiB)
   * or one response (a page ends at about 16 MiB) at a time. A body is read only when its request is authorized.
   * Pipelined requests wait, and their connection is not read meanwhile; it is closed when all that wait take 64 MiB.
   *
   * @defaultValue 268,435,456: 256 MiB
   */
  readonly bufferedBytes?: number | undefined
}

const LAST_PORT = 65_535
const NAME = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/i

/** The options of {@link LocalTableService.listen}. Node would take text for the name of a pipe. */
export const listenOptions: DeclaredOptions<ListenOptions> = declareOptions<ListenOptions>({
  port: {
    ...wholeNumber(0, LAST_PORT),
    text: `a whole number from 0 to ${LAST_PORT}; 0 takes a free one`,
  },
  host: showingText(
    rule('an address or a host name', (host) => typeof host === 'string' && host !== ''),
  ),
  hosts: rule(
    "a list of host names without scheme and port, such as ['tables.example.com']",
    (hosts) =>
      Array.isArray(hosts) && hosts.every((name) => typeof name === 'string' && NAME.test(name)),
  ),
  limits: anything,
  tls: anything,
})

const pemText = required(
  rule('PEM text', (text) => typeof text === 'string' && text.startsWith('-----BEGIN ')),
)

/** The options of {@link ListenOptions.tls}. */
export const tlsOptions: DeclaredOptions<ListenTls> = declareOptions<ListenTls>({
  cert: pemText,
  key: pemText,
})

/** The limits of a listener. */
export const listenLimits: DeclaredOptions<ListenLimits> = declareOptions<ListenLimits>({
  requestTimeout: wholeNumber(),
  connections: wholeNumber(),
  bufferedBytes: wholeNumber(),
})

/** All limits with their values. */
export type AllLimits = Record<keyof ListenLimits, number>

/** Adds the defaults to some limits. */
export function withDefaults({
  requestTimeout = 30_000,
  connections = 10_000,
  bufferedBytes = 268_435_456,
}: ListenLimits): AllLimits {
  return { requestTimeout, connections, bufferedBytes }
}
