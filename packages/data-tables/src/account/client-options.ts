import {
  exponentialRetry,
  type Flavour,
  noRetry,
  type RetryPolicy,
  type Transport,
  undiciTransport,
} from '@rowkey/rest'
import { checkRecord, invalidArgument } from '../errors/check-arguments.ts'
import type {
  AdditionalPolicyConfig,
  Foreign,
  HttpClient,
  ProxySettings,
} from '../pipeline/interfaces.ts'
import { clientTransport } from '../pipeline/pipeline-transport.ts'

/** How often and when failed requests are sent again. */
export interface RetryOptions {
  /**
   * The most retries of one call; 0 for none.
   *
   * @defaultValue `3`
   */
  maxRetries?: number
  /**
   * Milliseconds before the first retry at the most; each further wait may be twice as long.
   *
   * @defaultValue `500`
   */
  retryDelayInMs?: number
  /**
   * The longest wait in milliseconds.
   *
   * @defaultValue `30_000`
   */
  maxRetryDelayInMs?: number
}

/** The options of {@link TableClient} and {@link TableServiceClient}. */
export interface TableServiceClientOptions {
  /**
   * Whether plain http to another machine is allowed.
   *
   * @defaultValue `false`; loopback is always allowed
   */
  allowInsecureConnection?: boolean
  /** Retries of failed requests. */
  retryOptions?: RetryOptions
  /** Policies that see each call, or every attempt. */
  additionalPolicies?: AdditionalPolicyConfig[]
  /** Sends the requests, in place of Rowkey's transport. */
  httpClient?: HttpClient
  /** The URL to send to, in place of the one of the constructor. */
  endpoint?: string
  /** The `x-ms-version` to send. */
  version?: string
  /** The proxy to send through. */
  proxyOptions?: ProxySettings
  /** Identifies the program in the logs of the service. */
  userAgentOptions?: {
    /** Comes first in the `User-Agent`. Pages send that of their browser. */
    userAgentPrefix?: string
  }
  /** The header with the client's id of a request. */
  telemetryOptions?: {
    /** Its name; `x-ms-client-request-id` has the id, too. */
    clientRequestIdHeaderName?: string
  }
  /** An agent for `httpClient`; rejected without one. */
  agent?: Foreign
  /** TLS options for `httpClient`; rejected without one. */
  tlsOptions?: Foreign
  /** Has no effect: redirects are never followed. */
  redirectOptions?: Foreign
  /** Sends the requests, for example the transport of the embedded service. Only Rowkey has this option. */
  transport?: Transport
  /** The kind of service, for a host that does not show it. Only Rowkey has this option. */
  flavour?: Flavour
}

/**
 * Returns the transport of a client's options.
 *
 * @param options - the options
 * @param where - the class, for messages
 * @returns `undefined` for Rowkey's own
 * @throws InputError for an agent or TLS options that nothing would use
 */
export function transportOf(
  options: TableServiceClientOptions,
  where: string,
): Transport | undefined {
  const { transport, httpClient, agent, tlsOptions, proxyOptions } = options
  if (transport !== undefined) return transport
  if (httpClient !== undefined) {
    return clientTransport(httpClient, {
      ...(agent === undefined ? {} : { agent }),
      ...(tlsOptions === undefined ? {} : { tlsSettings: tlsOptions }),
      ...(proxyOptions === undefined ? {} : { proxySettings: proxyOptions }),
    })
  }
  const unused = agent === undefined ? tlsOptions && 'tlsOptions' : 'agent'
  if (unused === undefined) {
    return proxyOptions && undiciTransport({ proxy: proxyUrl(proxyOptions) })
  }
  throw invalidArgument(
    `${unused} of ${where} needs an httpClient that uses it, such as createDefaultHttpClient() of @azure/core-rest-pipeline.`,
  )
}

function proxyUrl(settings: ProxySettings): `http://${string}` {
  const { host, port, username, password = '' } = settings
  const url = new URL(`${host}:${port}`)
  if (username !== undefined) Object.assign(url, { username, password })
  // undiciTransport rejects another scheme.
  return url.href as `http://${string}`
}

/**
 * Returns the retries of a client's options.
 *
 * @throws InputError (`InvalidOptionValue`)
 */
export function retryOf(options: RetryOptions): RetryPolicy {
  checkRecord(options, 'retryOptions')
  const { maxRetries = 3, retryDelayInMs = 500 } = options
  const { maxRetryDelayInMs = Math.max(retryDelayInMs, 30_000) } = options
  if (!(Number.isSafeInteger(maxRetries) && maxRetries >= 0)) {
    throw invalidArgument('maxRetries of retryOptions must be a whole number from 0.')
  }
  if (maxRetries === 0) return noRetry
  return exponentialRetry({
    attempts: maxRetries + 1,
    baseDelay: retryDelayInMs,
    maxDelay: maxRetryDelayInMs,
  })
}

/** What a header can have in all its runtimes: printable ASCII. */
const HEADER_TEXT = /^[\x20-\x7e]*$/

/**
 * Checks the prefix of the `User-Agent`, which has the rules of a header only.
 *
 * @throws InputError (`InvalidOptionValue`) for a text that no header can have
 */
export function checkUserAgent({ userAgentOptions }: TableServiceClientOptions): void {
  const prefix: unknown = userAgentOptions?.userAgentPrefix ?? ''
  if (typeof prefix === 'string' && HEADER_TEXT.test(prefix)) return
  throw invalidArgument('userAgentPrefix of userAgentOptions must be text of printable ASCII.')
}

/**
 * Returns the headers that a client's options add to every request.
 *
 * @param options - the options
 * @param id - the client's id of the call
 * @param userAgent - the `User-Agent` of Rowkey; `undefined` in pages
 */
export function headersOf(
  { version, userAgentOptions, telemetryOptions }: TableServiceClientOptions,
  id: string,
  userAgent: string | undefined,
): Readonly<Record<string, string>> {
  const { userAgentPrefix: prefix = '' } = userAgentOptions ?? {}
  const idHeader = telemetryOptions?.clientRequestIdHeaderName
  return {
    ...(version === undefined ? {} : { 'x-ms-version': version }),
    ...(userAgent === undefined ? {} : { 'user-agent': `${prefix} ${userAgent}`.trim() }),
    ...(idHeader ? { [idHeader]: id } : {}),
  }
}
