import { RowkeyError } from '@rowkey/odata'

/** The status and the text of each rejection, by the code that the protocol has for it. */
export const REJECTION_TEXTS = {
  AtomFormatNotSupported: [415, 'Atom format is not supported.'],
  AuthenticationFailed: [
    403,
    'Server failed to authenticate the request. Make sure the value of Authorization header is formed correctly including the signature.',
  ],
  AuthorizationFailure: [403, 'This request is not authorized to perform this operation.'],
  AuthorizationPermissionMismatch: [
    403,
    'This request is not authorized to perform this operation using this permission.',
  ],
  AuthorizationProtocolMismatch: [
    403,
    'This request is not authorized to perform this operation using this protocol.',
  ],
  AuthorizationResourceTypeMismatch: [
    403,
    'This request is not authorized to perform this operation using this resource type.',
  ],
  AuthorizationServiceMismatch: [
    403,
    'This request is not authorized to perform this operation using this service.',
  ],
  AuthorizationSourceIPMismatch: [
    403,
    'This request is not authorized to perform this operation using this source IP.',
  ],
  CommandsInBatchActOnDifferentPartitions: [
    400,
    'All commands in a batch must operate on same entity group.',
  ],
  CorsPreflightFailure: [403, 'CORS not enabled or no matching rule found for this request.'],
  DuplicateKeyPropertySpecified: [400, 'A key property is specified more than once.'],
  DuplicatePropertiesSpecified: [400, 'A property is specified more than once.'],
  EntityAlreadyExists: [409, 'The specified entity already exists.'],
  EntityTooLarge: [400, 'The entity is larger than the maximum allowed size (1MB).'],
  HostInformationNotPresent: [
    400,
    'The required host information is not present in the request. You must send a non-empty Host header or include the absolute URI in the request line.',
  ],
  InsufficientAccountPermissions: [
    403,
    'The account being accessed does not have sufficient permissions to execute this operation.',
  ],
  InternalError: [500, 'Server encountered an internal error. Please try again after some time.'],
  InvalidAuthenticationInfo: [
    400,
    'The authentication information was not provided in the correct format. Verify the value of Authorization header.',
  ],
  InvalidDuplicateRow: [
    400,
    'The batch request contains multiple changes with same row key. An entity can appear only once in a batch request.',
  ],
  InvalidHeaderValue: [400, 'The value for one of the HTTP headers is not in the correct format.'],
  InvalidInput: [400, 'One of the request inputs is not valid.'],
  InvalidMd5: [400, 'The Content-MD5 header is not the MD5 of 16 bytes in base64.'],
  InvalidQueryParameterValue: [
    400,
    'Value for one of the query parameters specified in the request URI is invalid.',
  ],
  InvalidResourceName: [400, 'The specifed resource name contains invalid characters.'],
  InvalidUri: [400, 'The requested URI does not represent any resource on the server.'],
  InvalidValueType: [400, 'The value specified for a property does not match its type.'],
  InvalidXmlDocument: [400, 'XML specified is not syntactically valid.'],
  InvalidXmlNodeValue: [
    400,
    'The value provided for one of the XML nodes in the request body was not in the correct format.',
  ],
  JsonVerboseFormatNotSupported: [415, 'JSON verbose format is not supported.'],
  KeyValueTooLarge: [400, 'The key property exceeds the maximum allowed size (1KB).'],
  Md5Mismatch: [400, 'The body that arrived is not the one that the Content-MD5 header is of.'],
  MediaTypeNotSupported: [415, 'None of the provided media types are supported'],
  MethodNotAllowed: [405, 'The requested method is not allowed on the specified resource.'],
  MissingContentLengthHeader: [411, 'The Content-Length header was not specified.'],
  NotImplemented: [501, 'The requested operation is not implemented on the specified resource.'],
  OperationTimedOut: [500, 'Operation could not be completed within the specified time.'],
  OutOfRangeInput: [400, 'One of the request inputs is out of range.'],
  PropertiesNeedValue: [400, 'The values are not specified for all properties in the entity.'],
  PropertyNameInvalid: [400, 'The property name is invalid.'],
  PropertyNameTooLong: [400, 'The property name exceeds the maximum allowed length (255).'],
  PropertyValueTooLarge: [
    400,
    'The property value exceeds the maximum allowed size (64KB). If the property value is a string, it is UTF-16 encoded and the maximum number of characters should be 32K or less.',
  ],
  RequestBodyTooLarge: [
    413,
    'The request body is too large and exceeds the maximum permissible limit.',
  ],
  RequestTimeout: [408, 'The request did not come to its end in time.'],
  ResourceNotFound: [404, 'The specified resource does not exist.'],
  ServerBusy: [503, 'The server is busy.'],
  TableAlreadyExists: [409, 'The table specified already exists.'],
  TableBeingDeleted: [409, 'The specified table is being deleted. Try operation later.'],
  TableNotFound: [404, 'The table specified does not exist.'],
  TooManyProperties: [
    400,
    'The entity contains more properties than allowed. Each entity can include up to 252 properties to store data. Each entity also has 3 system properties.',
  ],
  TooManyRequests: [429, 'The request rate is too large. Try again later.'],
  UnsupportedHttpVerb: [405, "The resource doesn't support specified Http Verb."],
  UpdateConditionNotSatisfied: [
    412,
    'The update condition specified in the request was not satisfied.',
  ],
  XMethodIncorrectCount: [400, 'More than one X-HTTP-Method is specified.'],
  XMethodIncorrectValue: [400, 'The specified X-HTTP-Method is invalid.'],
  XMethodNotUsingPost: [400, 'The request uses X-HTTP-Method with an Http Verb other than POST.'],
} as const

/** A code with which the service rejects a request, as the protocol spells it. */
export type RejectionCode = keyof typeof REJECTION_TEXTS

/** Details of a {@link Rejection}. */
interface RejectionOptions {
  /** Replaces the usual text of the code. */
  readonly text?: string | undefined
  /** Replaces the usual status of the code: the front end uses one code with two statuses. */
  readonly status?: number | undefined
  /** Headers of the response, such as `www-authenticate`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The index of the operation that failed in an entity group transaction. */
  readonly index?: number | undefined
  /** The error below this one. */
  readonly cause?: unknown
}

/**
 * Thrown to reject a request; becomes the status and the error body of the response. It never
 * leaves the service.
 */
export class Rejection extends RowkeyError {
  override readonly name = 'Rejection'
  /** The protocol's code. */
  readonly code: RejectionCode
  /** The status of the response. */
  readonly status: number
  /** Headers of the response. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * The index of the operation that failed in an entity group transaction, when it was one of them.
   */
  readonly index: number | undefined

  constructor(code: RejectionCode, detail: RejectionOptions = {}) {
    const [status, text] = REJECTION_TEXTS[code]
    super({ message: detail.text ?? text, cause: detail.cause })
    this.code = code
    this.status = detail.status ?? status
    this.headers = detail.headers ?? {}
    this.index = detail.index
  }

  /** Copies the rejection with other details. */
  but(detail: RejectionOptions): Rejection {
    const { message: text, status, headers, index, cause } = this
    return new Rejection(this.code, { text, status, headers, index, cause, ...detail })
  }

  /** Copies the rejection with the index of an operation before its text, as transactions do. */
  prefixed(index: number): Rejection {
    return this.but({ text: `${index}:${this.message}` })
  }
}
