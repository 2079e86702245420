import type { HttpResponse } from '@rowkey/rest'

/** The address of a client in the same process, and of one on the same machine. */
export const LOOPBACK = '127.0.0.1'

/** Where a delivery goes. */
export interface DeliverySource {
  /** The client's IP address; that of this machine when absent. */
  readonly address?: string | undefined
  /** Whether a response of so many bytes may be held until the client has read it; any when absent. */
  readonly hasRoom?: ((bytes: number) => boolean) | undefined
}

/** What a client gets for a request. */
export type Delivery =
  | { readonly kind: 'whole'; readonly response: HttpResponse }
  /** After so many milliseconds. */
  | { readonly kind: 'late'; readonly response: HttpResponse; readonly delay: number }
  /** With a pause of so many milliseconds after so many bytes of the body. */
  | {
      readonly kind: 'paused'
      readonly response: HttpResponse
      readonly after: number
      readonly delay: number
    }
  /** Only so many bytes of the body. */
  | { readonly kind: 'truncated'; readonly response: HttpResponse; readonly after: number }
  /** No answer. */
  | { readonly kind: 'lost'; readonly connection: 'closed' | 'reset' }
