import { expect, test } from 'vitest'
import { filterAndSort, type Repository } from './list-repositories.ts'
import { repositoryJson } from './repository-json.ts'

const list = [
  ['linguist', 3],
  ['Hello-World', 9],
  ['boysenberry', 1],
].map(([name, stargazers_count]) => repositoryJson({ name, stargazers_count }) as unknown as Repository)

const names = (filter: string, order: Parameters<typeof filterAndSort>[2]) =>
  filterAndSort(list, filter, order).map(({ name }) => name)

test('repositories keep their order until another one is chosen', () => {
  expect(names('', 'listed')).toEqual(['linguist', 'Hello-World', 'boysenberry'])
  expect(names('', 'stars')).toEqual(['Hello-World', 'linguist', 'boysenberry'])
  expect(names('', 'name')).toEqual(['boysenberry', 'Hello-World', 'linguist'])
})

test('a filter looks for part of the name, in any case', () => {
  expect(names(' LI', 'listed')).toEqual(['linguist'])
  expect(names('none', 'stars')).toEqual([])
})
