// The model as src/report/page_json.cc and page_run.cc write it.

export interface Count {
  failed: number;
  tried: number;
}

export interface Edge {
  text: string;
  released: Count | null;
  reversed: Count | null;
}

export interface Orders {
  all: Count | null;
  none: Count | null;
  edges: Edge[];
}

export interface Frame {
  function: string;
  file: string;
  line: number;
}

export interface ThreadState {
  thread: string;
  doing: string;
  at_fault: boolean;
  frames: Frame[];
}

export interface Wait {
  thread: string;
  object: string;
  holder: string;
}

export type SourceLines = Record<string, string>;

export interface Finding {
  name: string;
  kind: string;
  title: string;
  effect: string;
  severity: string;
  verdict: string;
  status: string;
  predicted: boolean;
  program: string;
  command: string;
  message: string;
  why: string;
  always: string;
  place?: string;
  times: number;
  campaigns: number;
  details: string[];
  facts: string[];
  commands: string[];
  threads: ThreadState[];
  waits: Wait[];
  sources: Record<string, SourceLines>;
  output: string;
  error: string;
  orders?: Orders;
}

export interface Share {
  strategy: string;
  executions: number;
  earned: number;
}

export interface CampaignResult {
  result?: string;
  reason?: string;
  behaviours?: number;
  last_new_behaviour?: number;
  predicted?: number;
  realised?: number;
  seconds?: number;
  schedules_per_second?: number;
  shares?: Share[];
  findings?: { id: number; message: string; severity: string }[];
  uncontrolled?: string[];
}

export interface Campaign {
  program: string;
  build: string;
  started: string;
  ending: string;
  command: string;
  executions: number;
  failed: number;
  cut: number;
  result: CampaignResult | null;
  points: [number, number, number][]; // executions, behaviours, seconds
}

export interface Pair {
  other: number;
  mine: string;
  theirs: string;
  here_first: boolean;
  exposures: number;
}

export interface CoverageLine {
  file: string;
  line: number;
  tested: number;
  pairs: Pair[];
}

export interface Tally {
  exposed: number;
  open: number;
  failed: number;
}

export interface Coverage {
  program: string;
  executions: number;
  all: Tally;
  growth: { executions: number; seconds: number; exposed: number }[];
  estimate: { ten_minutes: number } | null;
  lines: CoverageLine[];
}

export interface Model {
  title: string;
  tool: string;
  made: string;
  live: boolean;
  findings: Finding[];
  campaigns: Campaign[];
  coverage: Coverage[];
  sources: Record<string, string[]>;
}

export function readModel(): Model {
  return JSON.parse(document.getElementById("model")?.textContent ?? "{}") as Model;
}
