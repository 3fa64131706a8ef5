import { expect, it } from 'vitest'
import { operations, refreshed } from '../capacity.ts'
import routesJson from '../routes.json' with { type: 'json' }

it('the page has the figures that the arithmetic gives; after a change: node infra/capacity.ts --write', () => {
  const { before, after } = refreshed()
  expect(before).toBe(after)
})

it('the arithmetic has the memory of the deployed functions', () => {
  for (const [operation, { memory }] of Object.entries(operations)) {
    const route = routesJson.find((candidate) => candidate.operation === operation)
    expect(route?.memory, operation).toBe(memory)
  }
})
