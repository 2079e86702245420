import { once } from 'node:events'
import { request } from 'node:https'
import { connect as connectSocket } from 'node:net'
import { connect } from 'node:tls'
import { type LocalTableService, localTableService } from '@rowkey/local'
import { InputError } from '@rowkey/odata'
import { afterEach, describe, expect, it } from 'vitest'
import { CERTIFICATE } from '../../support/certificate.ts'

describe('a listener with a certificate', () => {
  const local: LocalTableService = localTableService()
  const tls = CERTIFICATE

  afterEach(() => local.close())

  it('serves https, sees that it does, and closes connections of every kind', async () => {
    const listener = await local.listen({ port: 0, tls })
    const { port } = listener
    expect(listener.connectionString).toMatch(
      `DefaultEndpointsProtocol=https;AccountName=devstoreaccount1`,
    )
    expect(listener.connectionString).toContain(`TableEndpoint=https://127.0.0.1:${port}/`)
    const status = await new Promise((resolve, reject) => {
      request({ host: '127.0.0.1', port, path: '/_health', ca: tls.cert }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
        .on('error', reject)
        .end()
    })
    expect(status).toBe(200)
    const half = connectSocket(port, '127.0.0.1')
    await once(half, 'connect')
    const idle = connect({ host: '127.0.0.1', port, ca: tls.cert })
    await once(idle, 'secureConnect')
    const ends = [once(half, 'close'), once(idle, 'close')]
    for (const socket of [half, idle]) socket.on('error', () => {})
    await listener.close()
    await Promise.all(ends)
  })

  it.each([
    [{ cert: tls.cert }],
    [{ cert: tls.key, key: tls.cert }],
    [{ cert: '', key: '' }],
    [{ ...tls, key: 'secret' }],
    ['yes'],
  ])('rejects %j, and shows nothing of the key', async (given) => {
    const error = await localTableService()
      .listen({ port: 0, tls: given as never })
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(InputError)
    expect(String(error)).not.toMatch(/secret|PRIVATE/)
  })
})
