import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LocalListener, type LocalTableService, localTableService } from '@rowkey/local'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { Turns } from '../../../packages/local/src/http/turns.ts'
import { ACCOUNT, KEY, sign } from '../../support/local-conversation.ts'

const SCAN = `/${ACCOUNT}/people()`

/** Prints a signed request. */
function request(method: string, path: string, body = ''): string {
  const date = new Date().toUTCString()
  const headers = [
    'Host: a',
    `x-ms-date: ${date}`,
    `Authorization: SharedKeyLite ${ACCOUNT}:${sign(`${date}\n/${ACCOUNT}${path}`)}`,
    'Accept: application/json;odata=nometadata',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]
  return `${method} ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`
}

describe.each(['memory', 'folder'])('a listener on tables in %s', (store) => {
  let local: LocalTableService
  let listener: LocalListener

  beforeEach(async () => {
    const folder = store === 'folder' ? mkdtempSync(join(tmpdir(), 'rowkey-')) : undefined
    const data = folder !== undefined ? { data: folder } : {}
    local = localTableService({ accounts: [{ name: ACCOUNT, key: KEY }], ...data })
    listener = await local.listen({ port: 0 })
    onTestFinished(async () => {
      await local.close()
      if (folder !== undefined) rmSync(folder, { recursive: true })
    })
    await converse(request('POST', `/${ACCOUNT}/Tables`, '{"TableName":"people"}'))
    await converse(request('POST', `/${ACCOUNT}/people`, '{"PartitionKey":"a","RowKey":"b","x":1}'))
    local.requests.clear()
  })

  const open = () =>
    new Promise<Socket>((resolve) => {
      const socket = connect(listener.port, '127.0.0.1', () => resolve(socket))
      socket.on('error', () => {})
    })

  /** Sends bytes and the end of its side, and returns all that comes back. */
  const converse = async (bytes: string) => {
    const socket = await open()
    return new Promise<string>((resolve) => {
      let heard = ''
      socket.on('data', (chunk) => {
        heard += chunk
      })
      socket.on('close', () => resolve(heard))
      socket.end(bytes)
    })
  }

  it.each([
    ['reset', (socket: Socket) => socket.resetAndDestroy()],
    ['close', (socket: Socket) => socket.destroy()],
  ])('reads no page for clients that %s their connections', async (_, leave) => {
    const sockets = await Promise.all(Array.from({ length: 50 }, open))
    for (const socket of sockets) {
      await new Promise<unknown>((resolve) => socket.write(request('GET', SCAN), resolve))
      leave(socket)
    }
    await vi.waitFor(() => expect(local.requests.entries()).toHaveLength(50), 10_000)
    await listener.close()
    const pages = local.requests.entries().filter(({ status }) => status === 200)
    // A client that is alone is served: it may have closed only its own side.
    expect(pages.length).toBeLessThan(10)
  })

  it.each([
    ['a query', request('GET', SCAN), /^HTTP\/1\.1 200 .*"x":1/s],
    ['a read', request('GET', `/${ACCOUNT}/people(PartitionKey='a',RowKey='b')`), /"x":1/],
    [
      'a write',
      request('POST', `/${ACCOUNT}/people`, '{"PartitionKey":"a","RowKey":"c"}'),
      /^HTTP\/1\.1 201 /,
    ],
    [
      'pipelined requests',
      request('GET', SCAN) + request('POST', `/${ACCOUNT}/Tables`, '{"TableName":"more"}'),
      /^HTTP\/1\.1 200 .*"x":1.*HTTP\/1\.1 201 .*"more"/s,
    ],
  ])('responds to a client that closes its side after %s', async (_, bytes, heard) => {
    expect(await converse(bytes)).toMatch(heard)
  })
})

it('long work takes turns, and knows whether other work waits', async () => {
  const turns = new Turns()
  const begun: unknown[] = []
  const begin = async (name: string) => {
    begun.push([name, await turns.take()])
  }
  const all = [begin('one'), begin('two'), begin('three')]
  expect(begun).toEqual([])
  await Promise.all(all)
  await begin('four')
  expect(begun).toEqual([
    ['one', true],
    ['two', true],
    ['three', false],
    ['four', false],
  ])
})
