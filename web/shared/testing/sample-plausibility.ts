import type { Plausibility } from '@shared/contract/types.ts'

const medium = (floor: number, belowPercent: number, abovePercent: number) => ({
  floor,
  bands: [{ annualFrom: 0, belowPercent, abovePercent }],
})

/** The bands of a tenant that says nothing about them. */
export const samplePlausibility: Plausibility = {
  electricity: medium(200, 50, 200),
  ownGeneration: medium(200, 30, 300),
  feedIn: medium(200, 30, 300),
  gas: medium(40, 50, 200),
  heat: medium(400, 50, 200),
  water: medium(15, 40, 250),
  other: medium(0, 30, 300),
}
