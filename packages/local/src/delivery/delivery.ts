import type { Client } from '../request/client.ts'
import type { ServiceResponse } from '../response/service-response.ts'

/** The address of a client in the same process, or on the same machine. */
export const LOOPBACK = '127.0.0.1'

/** Where a request came from. */
export interface DeliverySource extends Client {
  /** The client's IP address; {@link LOOPBACK} when absent. */
  readonly address?: string | undefined
  /**
   * Tells whether a response of so many bytes may be held until it is read; any may when absent.
   */
  readonly hasRoom?: ((bytes: number) => boolean) | undefined
}

/** The response that a client receives, or its failure. */
export type Delivery =
  | { readonly kind: 'whole'; readonly response: ServiceResponse }
  /** After a delay in milliseconds. */
  | { readonly kind: 'late'; readonly response: ServiceResponse; readonly delay: number }
  /** With a pause in milliseconds after some bytes of the body. */
  | {
      readonly kind: 'paused'
      readonly response: ServiceResponse
      readonly after: number
      readonly delay: number
    }
  /** With the first bytes of the body only. */
  | { readonly kind: 'truncated'; readonly response: ServiceResponse; readonly after: number }
  /** Without a response. */
  | { readonly kind: 'lost'; readonly connection: 'closed' | 'reset' }
