import { afterEach, expect } from 'vitest'
import { bundled, reported } from '../../../support/bundled.ts'
import { longTest } from '../../../support/cases-to-play.ts'

/** The page that imported the service is gone. */
afterEach(() => void Reflect.deleteProperty(globalThis, Symbol.for('rowkey.embedded')))

const isEmbedded = (path: string) => path.startsWith('packages/local/')

longTest(
  'a bundle for browsers contains the embedded service only with rowkey/embedded',
  async () => {
    const without = await bundled("export { connect } from 'rowkey'")
    expect(without.modules).toContain('packages/rowkey/src/connect.ts')
    expect(without.modules.filter(isEmbedded)).toEqual([])
    const program = "import 'rowkey/embedded'; export { connect } from 'rowkey'"
    expect((await bundled(program)).modules.some(isEmbedded)).toBe(true)
  },
)

longTest.each([
  ["import 'rowkey/embedded';", 'true'],
  ['', "MissingDependency Add import 'rowkey/embedded' beside the import of connect."],
])('memory: in a bundle for browsers with %j gives %s', async (imported, result) => {
  const program = `${imported}
    import { connect } from 'rowkey'
    const account = connect('memory:')
    const done = account.createTable('people').then(() => account.table('people').exists())
    report(done.then(String, ({ code, message }) => code + ' ' + message.split('. ').at(-1)))`
  expect(await reported(program)).toBe(result)
})
