import { rowkey } from 'rowkey/vite'
import { describe, expect, it } from 'vitest'

describe('rowkey/vite', () => {
  it.each([
    [
      { compiler: 'swc' },
      `compiler of the plugin rowkey/vite must be 'esbuild' or 'typescript'; got "swc".`,
    ],
    [{ compilr: 'esbuild' }, "the plugin rowkey/vite has no option 'compilr'."],
    [null, 'The options of the plugin rowkey/vite must be an object.'],
  ])('rejects the options %j when it is made', (options, message) => {
    expect(() => rowkey(options as never)).toThrow(message)
  })

  it.each([
    ['no decorator', '/src/a.ts', 'export const a: number = 1'],
    [
      'a JSDoc tag',
      '/src/a.ts',
      '/**\n * @param a - a number\n */\nexport const f = (a: number) => a',
    ],
    ['a package name', '/src/a.ts', 'import { a } from \'@rowkey/rest\'\nconst b = "x@y.z"'],
    ['a style sheet', '/src/a.css', '@media print {}'],
    ['a dependency', '/node_modules/a/a.js', '@Entity() class A {}'],
  ])('leaves a module with %s as it is', async (_, id, code) => {
    expect(await rowkey().transform(code, id)).toBeUndefined()
  })

  it.each([
    ['export class A { b = 1; @Property() c = 2 }'],
    ['@Entity() export class A {}'],
    ['export default @Entity() class A {}'],
    ['class A {\n  @(decorators.b()) c = 1\n}'],
  ])('finds the decorator in %j', async (code) => {
    expect(await rowkey().transform(code, '/src/a.ts')).toBeDefined()
  })
})
