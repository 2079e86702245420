import { ServiceFault } from '../fault/service-fault.ts'

/** Bytes of a request body: 4 MiB. */
export const MAX_BODY_SIZE = 4_194_304

/** UTF-16 units that are surely no more than so many bytes of UTF-8. */
const SURELY_WITHIN = MAX_BODY_SIZE / 3

/** Refuses a body that is larger than the service takes. */
export function checkBodySize(body: string): void {
  if (body.length <= SURELY_WITHIN) return
  if (Buffer.byteLength(body) > MAX_BODY_SIZE) throw new ServiceFault('RequestBodyTooLarge')
}
