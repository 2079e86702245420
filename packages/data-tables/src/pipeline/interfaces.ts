/**
 * A member that Rowkey passes on and never reads, such as an agent or a stream. Its type in the official client
 * belongs to a runtime or to another package.
 */
// biome-ignore lint/suspicious/noExplicitAny: only this type is assignable to and from the official one
export type Foreign = any

/** The headers of a request or response; names in any case. */
export interface HttpHeaders extends Iterable<[string, string]> {
  /** Returns the value of a header. */
  get(name: string): string | undefined
  /** Tells whether a header is there. */
  has(name: string): boolean
  /** Sets a header in place of the one of the same name. */
  set(name: string, value: string | number | boolean): void
  /** Removes a header. */
  delete(name: string): void
  /** Returns the headers as a plain object; names in lower case unless `preserveCase` is set. */
  toJSON(options?: { preserveCase?: boolean }): Record<string, string>
}

/** An `AbortSignal`, or one of an older library. */
export interface AbortSignalLike {
  /** Whether it has aborted. */
  readonly aborted: boolean
  /** Adds a listener. */
  addEventListener(
    type: 'abort',
    listener: (this: AbortSignalLike, event: Foreign) => Foreign,
    options?: Foreign,
  ): void
  /** Removes a listener. */
  removeEventListener(
    type: 'abort',
    listener: (this: AbortSignalLike, event: Foreign) => Foreign,
    options?: Foreign,
  ): void
}

/** The context of a span of `@azure/core-tracing`. */
export interface TracingContext {
  /** Returns a context with one more value. */
  setValue(key: symbol, value: unknown): TracingContext
  /** Returns a value. */
  getValue(key: symbol): unknown
  /** Returns a context with one value less. */
  deleteValue(key: symbol): TracingContext
}

/** The tracing options of a call. */
export interface OperationTracingOptions {
  /** The parent of the call's span. */
  tracingContext?: TracingContext
}

/** How much of a body was transferred. */
export type TransferProgressEvent = {
  /** The bytes so far. */
  loadedBytes: number
}

/** The verbs of requests. */
export type HttpMethods = 'DELETE' | 'GET' | 'HEAD' | 'OPTIONS' | 'PATCH' | 'POST' | 'PUT' | 'TRACE'

/** A request, as policies and HTTP clients of `@azure/core-rest-pipeline` take it. */
export interface PipelineRequest {
  /** The URL. */
  url: string
  /** The verb. */
  method: HttpMethods
  /** The headers. */
  headers: HttpHeaders
  /** Milliseconds for the request; 0 for no limit. */
  timeout: number
  /** Whether browsers send cookies. */
  withCredentials: boolean
  /** The client's id of the call. */
  requestId: string
  /** The body: a text. */
  body?: Foreign
  /** Unused. */
  multipartBody?: Foreign
  /** Unused. */
  formData?: Foreign
  /** Unused. */
  streamResponseStatusCodes?: Set<number>
  /** The proxy. */
  proxySettings?: ProxySettings
  /** Unused. */
  disableKeepAlive?: boolean
  /** Ends the request. */
  abortSignal?: AbortSignalLike
  /** The tracing options of the call. */
  tracingOptions?: OperationTracingOptions
  /** Unused. */
  onUploadProgress?: (progress: TransferProgressEvent) => void
  /** Unused. */
  onDownloadProgress?: (progress: TransferProgressEvent) => void
  /** Whether plain http is allowed. */
  allowInsecureConnection?: boolean
  /** The agent of the client's options. */
  agent?: Foreign
  /** Unused. */
  enableBrowserStreams?: boolean
  /** The TLS options of the client's options. */
  tlsSettings?: Foreign
  /** Unused. */
  requestOverrides?: Record<string, unknown>
}

/** A response, as policies and HTTP clients of `@azure/core-rest-pipeline` return it. */
export interface PipelineResponse {
  /** The request. */
  request: PipelineRequest
  /** The HTTP status. */
  status: number
  /** The headers. */
  headers: HttpHeaders
  /** The body. */
  bodyAsText?: string | null
  /** Unused. */
  blobBody?: Promise<Foreign>
  /** Unused. */
  browserStreamBody?: Foreign
  /** Unused. */
  readableStreamBody?: Foreign
}

/** A response with what the client read from it, for `onResponse`. */
export interface FullOperationResponse extends PipelineResponse {
  /** The headers that results have, under their names there. */
  parsedHeaders?: { [name: string]: unknown }
  /** The body, parsed. */
  parsedBody?: Foreign
}

/** Receives the last response of a call, its result, and its error. */
export type RawResponseCallback = (
  rawResponse: FullOperationResponse,
  flatResponse: unknown,
  error?: unknown,
) => void

/** Sends a request. */
export type SendRequest = (request: PipelineRequest) => Promise<PipelineResponse>

/** An HTTP client of `@azure/core-rest-pipeline`. */
export interface HttpClient {
  /** Sends a request. */
  sendRequest: SendRequest
}

/** Sees, changes, answers or repeats requests. */
export interface PipelinePolicy {
  /** Its name. */
  name: string
  /** Handles one request; `next` sends it on. */
  sendRequest(request: PipelineRequest, next: SendRequest): Promise<PipelineResponse>
}

/** Where in a pipeline a policy stands. */
export type PipelinePhase = 'Deserialize' | 'Retry' | 'Serialize' | 'Sign'

/** Where to add a policy. */
export interface AddPolicyOptions {
  /** The names of policies that come later. */
  beforePolicies?: string[]
  /** The names of policies that come earlier. */
  afterPolicies?: string[]
  /** The phase that comes before it. */
  afterPhase?: PipelinePhase
  /** Its phase. */
  phase?: PipelinePhase
}

/**
 * The caller's policies. Those of the phases Retry and Sign, and those after them, see every attempt; all others
 * see each call once. Rowkey's own retries and signatures are not policies.
 */
export interface Pipeline {
  /** Adds a policy. */
  addPolicy(policy: PipelinePolicy, options?: AddPolicyOptions): void
  /** Removes policies by their name or phase, and returns them. */
  removePolicy(options: { name?: string; phase?: PipelinePhase }): PipelinePolicy[]
  /** Sends a request through the policies to a client. */
  sendRequest(httpClient: HttpClient, request: PipelineRequest): Promise<PipelineResponse>
  /** Lists the policies in the order in which they see requests. */
  getOrderedPolicies(): PipelinePolicy[]
  /** Copies the pipeline. */
  clone(): Pipeline
}

/** A policy of a client's options. */
export interface AdditionalPolicyConfig {
  /** The policy. */
  policy: PipelinePolicy
  /** Whether it sees each call once, or every attempt. */
  position: 'perCall' | 'perRetry'
}

/** A proxy. */
export interface ProxySettings {
  /** Its host, with `http://` or `https://`. */
  host: string
  /** Its port. */
  port: number
  /** The user. */
  username?: string
  /** The password. */
  password?: string
}
