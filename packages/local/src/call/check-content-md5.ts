import { createHash } from 'node:crypto'
import type { HttpHeaders } from '@rowkey/rest'
import { ServiceFault } from '../fault/service-fault.ts'

/** 16 bytes in base64. */
const MD5 = /^[A-Za-z0-9+/]{22}==$/

/**
 * Refuses a body that is not the one its `Content-MD5` was made of.
 *
 * @throws ServiceFault InvalidMd5, or Md5Mismatch
 */
export function checkContentMd5(headers: HttpHeaders, body: string): void {
  const given = headers['content-md5']
  if (!given) return
  if (!MD5.test(given)) throw new ServiceFault('InvalidMd5')
  const found = createHash('md5').update(body).digest('base64')
  if (found !== given) throw new ServiceFault('Md5Mismatch')
}
