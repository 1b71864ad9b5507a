import { Predictor } from "@/features/matchday/predictor";

export default function PredictionsPage() {
  return <Predictor />;
}
