declare module "@paystack/inline-js" {
  interface TransactionCallbacks {
    accessCode: string;
    onLoad?: () => void;
    onSuccess?: (outcome: { reference: string }) => void;
    onCancel?: () => void;
    onError?: (error: { message: string }) => void;
    onBankTransferConfirmationPending?: () => void;
  }

  export default class PaystackPop {
    newTransaction(options: TransactionCallbacks): { status: string | null };
    cancelTransaction(id?: string): void;
  }
}
