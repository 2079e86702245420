import { expect, it, onTestFinished, vi } from 'vitest'
import { bundled, reported } from '../../../support/bundled.ts'
import { started } from '../../http/loopback-requests.ts'

const isUndici = (path: string) => path.startsWith('node_modules/undici/')

it.each([
  ['rowkey', false, "export { connect } from 'rowkey'"],
  ['rowkey/fetch', false, "export { connect } from 'rowkey/fetch'"],
  ['undiciTransport', true, "export { connect, undiciTransport } from 'rowkey'"],
])('a bundle that names %s has undici: %s', async (_, has, program) => {
  const { modules } = await bundled(program)
  expect(modules.some(isUndici)).toBe(has)
})

const program = (origin: string, requests: number) => `
  import { connect, noRetry } from 'rowkey'
  const account = connect('${origin}/contoso?sv=1&ss=t&srt=sco&sp=rwdlacu&se=2100-01-01&spr=https,http&sig=c2ln', { retry: noRetry })
  const all = Array.from({ length: ${requests} }, () => account.table('people').exists())
  globalThis.report(Promise.all(all).then((results) => results.length, ({ code, message }) => code + ' ' + message))`

it('a bundle sends any number of requests without undici', async () => {
  const { origin } = await started((_, response) => {
    response.setHeader('content-type', 'application/json').end('{"value":[]}')
  })
  expect(await reported(program(origin, 200))).toBe(200)
})

it('a bundle without undici says what to do about a proxy, and sends nothing', async () => {
  vi.stubEnv('HTTPS_PROXY', 'http://127.0.0.1:1')
  onTestFinished(() => void vi.unstubAllEnvs())
  const result = await reported(program('https://contoso.invalid', 1))
  expect(result).toMatch(/^MissingDependency .*undiciTransport\(\)/)
})
