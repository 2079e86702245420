import { readme } from './readme'

test('the README runs', async () => {
  expect(await readme()).toEqual(['insert', 'get', 'merge', 'batch', 'query', 'errors'])
})
