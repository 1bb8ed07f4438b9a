/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "test/oracle/tool_oracle_steps.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

#include "model/profile/profile.h"
#include "passes/ir/llvm_version.h"
#include "test/oracle/machine.h"

using namespace llvm;

namespace gpuperf
{

namespace
{

/* Program-scope variables and functions, copied into the new module when they are first used. */
struct Globals : ValueMaterializer {
    Module &into;
    std::vector<std::pair<GlobalVariable *, const GlobalVariable *>> unfinished;

    explicit Globals(Module &into) : into(into) {}
    virtual ~Globals() = default;

    Value *materialize(Value *value) override
    {
        if (auto *function = dyn_cast<Function>(value)) {
            std::string name = function->isIntrinsic() ? function->getName().str() : "fn." + function->getName().str();
            if (Function *known = into.getFunction(name))
                return known;
            return Function::Create(function->getFunctionType(), Function::ExternalLinkage, name, &into);
        }
        auto *variable = dyn_cast<GlobalVariable>(value);
        if (!variable)
            return nullptr;
        if (GlobalVariable *known = into.getNamedGlobal(variable->getName()))
            return known;
        bool sizedAtLaunch = !variable->hasInitializer();
        Type *type = variable->getValueType();
        if (sizedAtLaunch)
            type = ArrayType::get(Type::getInt8Ty(value->getContext()), ORACLE_DYNAMIC_LOCAL);
        auto *copy =
            new GlobalVariable(into, type, false, GlobalValue::ExternalLinkage, Constant::getNullValue(type),
                               variable->getName(), nullptr, GlobalValue::NotThreadLocal, variable->getAddressSpace());
        copy->setAlignment(Align(ORACLE_ALIGNMENT)); /* where the profile's symbols start */
        if (!sizedAtLaunch)
            unfinished.push_back({copy, variable});
        return copy;
    }
};

enum class Special { None, Drop, Barrier, Exchange, ImageRead, ImageWrite, BulkCopy };

struct Maker {
    const BuiltKernel &kernel;
    Steps &steps;
    std::string &error;
    LLVMContext &context;
    Module &module;
    ValueToValueMapTy map;
    Globals globals;
    Function *body = nullptr; /* the kernel with its own signature, until it becomes `step` */
    std::vector<BasicBlock *> blocks;
    DenseMap<const Instruction *, std::vector<uint32_t>> records, barriers;
    std::vector<BasicBlock *> pieces;
    SmallPtrSet<const Instruction *, 32> live;
    SmallPtrSet<const AllocaInst *, 8> ownVariables; /* private variables of the kernel */
    Type *word, *number;

    Maker(const BuiltKernel &kernel, Steps &steps, std::string &error)
        : kernel(kernel), steps(steps), error(error), context(kernel.function.getContext()), module(*steps.module),
          globals(module), word(Type::getInt64Ty(context)), number(Type::getInt32Ty(context))
    {
    }

    bool fail(const Twine &text)
    {
        if (error.empty())
            error = ("kernel '" + kernel.function.getName() + "': " + text).str();
        return false;
    }
    bool fail(const Twine &text, const Instruction &inst)
    {
        std::string printed;
        raw_string_ostream(printed) << inst;
        return fail(text + ":" + printed);
    }

    FunctionCallee runtime(StringRef name, Type *result, ArrayRef<Type *> parameters)
    {
        return module.getOrInsertFunction(name, FunctionType::get(result, parameters, false));
    }

    /* ---- Copy --------------------------------------------------------------------------------------------------- */

    void copyBody()
    {
        Function &from = kernel.function;
        body = Function::Create(from.getFunctionType(), Function::ExternalLinkage, "body", &module);
        for (auto pair : zip(from.args(), body->args()))
            map[&std::get<0>(pair)] = &std::get<1>(pair);
        for (BasicBlock *block : kernel.blocks)
            map[block] = CloneBasicBlock(block, map, "", body);
        for (BasicBlock *block : kernel.blocks)
            blocks.push_back(cast<BasicBlock>(map[block]));
        for (BasicBlock &block : *body)
            for (Instruction &inst : block) {
                inst.dropDbgRecords();
                inst.setDebugLoc(DebugLoc());
                inst.dropUnknownNonDebugMetadata();
                RemapInstruction(&inst, map, RF_IgnoreMissingLocals, nullptr, &globals);
            }
        while (!globals.unfinished.empty()) {
            auto [copy, variable] = globals.unfinished.back();
            globals.unfinished.pop_back();
            copy->setInitializer(MapValue(variable->getInitializer(), map, RF_None, nullptr, &globals));
        }
    }

    const Instruction *copyOf(const Instruction *inst)
    {
        auto found = map.find(inst);
        return found == map.end() ? nullptr : dyn_cast_or_null<Instruction>((Value *)found->second);
    }

    /* Which records and barriers of the profile belong to which instruction of the copy. */
    void findRecords()
    {
        for (uint32_t m = 0; m < kernel.kernel.memory_count; m++)
            if (const Instruction *origin = kernel.origins[kernel.kernel.memory[m].inst])
                records[copyOf(origin)].push_back(m);
        for (uint32_t i = 0; i < kernel.kernel.inst_count; i++)
            if (kernel.kernel.insts[i].op == GP_OP_BARRIER && kernel.origins[i])
                barriers[copyOf(kernel.origins[i])].push_back(i);
        for (uint32_t b = 0; b < blocks.size(); b++) {
            std::vector<uint32_t> next;
            for (BasicBlock *to : successors(blocks[b]))
                next.push_back((uint32_t)(find(blocks, to) - blocks.begin()));
            steps.successors.push_back(next);
        }
    }

    /* ---- Memory operations ----------------------------------------------------------------------------------------
     */

    void traceAccess(Instruction &before, Value *pointer, uint32_t record, uint64_t offset)
    {
        IRBuilder<> b(&before);
        Value *address = b.CreateAdd(b.CreatePtrToInt(pointer, word), b.getInt64(offset));
        b.CreateCall(runtime("oracle_access", b.getVoidTy(), {number, word}), {b.getInt32(record), address});
    }

    /* The records of one instruction lie side by side; those of a copy are loads and stores in turn. */
    bool traceMemory(Instruction &inst, Value *loaded, Value *stored, uint64_t bytes)
    {
        uint64_t at[2] = {0, 0};
        for (uint32_t record : records.lookup(&inst)) {
            const gp_memory &memory = kernel.kernel.memory[record];
            bool store = stored && (memory.flags & GP_MEMORY_STORE);
            Value *pointer = store ? stored : loaded;
            if (!pointer)
                return fail("a record of the wrong direction", inst);
            traceAccess(inst, pointer, record, at[store]);
            at[store] += (uint64_t)memory.element_bytes * memory.vector;
        }
        if ((loaded && at[0] != bytes) || (stored && at[1] != bytes))
            return fail("records of " + Twine(at[0]) + " and " + Twine(at[1]) + " bytes for " + Twine(bytes), inst);
        return true;
    }

    /* AMD's dispatch packet and implicit arguments: work-item ids, not memory operations of the program. */
    static bool readsLaunch(const Value *pointer)
    {
        auto *call = dyn_cast<CallBase>(getUnderlyingObject(pointer, 0));
        const Function *callee = call ? call->getCalledFunction() : nullptr;
        return callee && callee->getName().starts_with("llvm.amdgcn.");
    }

    /* What takes part in an effect or in control flow: the rest is dead, whatever else uses it. */
    void findLive()
    {
        SmallVector<const Instruction *, 32> open;
        for (const Instruction &inst : instructions(*body))
            if ((inst.mayHaveSideEffects() || inst.isTerminator()) && live.insert(&inst).second)
                open.push_back(&inst);
        while (!open.empty())
            for (const Value *operand : open.pop_back_val()->operands())
                if (auto *inst = dyn_cast<Instruction>(operand); inst && live.insert(inst).second)
                    open.push_back(inst);
    }

    bool traceInstruction(Instruction &inst)
    {
        const DataLayout &layout = kernel.function.getParent()->getDataLayout();
        auto *load = dyn_cast<LoadInst>(&inst);
        auto *store = dyn_cast<StoreInst>(&inst);
        bool atomic = isa<AtomicRMWInst>(inst) || isa<AtomicCmpXchgInst>(inst);
        if (!load && !store && !atomic)
            return true;
        if (!records.count(&inst)) {
            if (load && (!live.contains(load) || readsLaunch(load->getPointerOperand())))
                return true;
            return fail("a memory operation without a record", inst);
        }
        if (load)
            return traceMemory(inst, load->getPointerOperand(), nullptr, layout.getTypeStoreSize(load->getType()));
        if (store)
            return traceMemory(inst, nullptr, store->getPointerOperand(),
                               layout.getTypeStoreSize(store->getValueOperand()->getType()));
        return traceMemory(inst, inst.getOperand(0), nullptr, layout.getTypeStoreSize(inst.getOperand(1)->getType()));
    }

    /* ---- Calls ------------------------------------------------------------------------------------------------------
     */

    static std::string nameOf(const CallInst &call)
    {
        auto *callee = dyn_cast<Function>(call.getCalledOperand()); /* of whatever type it was declared with */
        if (!callee)
            return "";
        StringRef name = callee->getName();
        name.consume_front("fn.");
        return name.str();
    }

    static Special specialOf(StringRef name)
    {
        if (name.starts_with("_Z7barrier") || name.starts_with("_Z18work_group_barrier") ||
            name.starts_with("_Z17wait_group_events") || name.starts_with("llvm.nvvm.barrier.cta.sync") ||
            name.starts_with("llvm.nvvm.barrier0") || name == "llvm.amdgcn.s.barrier")
            return Special::Barrier;
        if (name.starts_with("llvm.lifetime") || name.starts_with("llvm.dbg") || name.starts_with("llvm.assume") ||
            name.starts_with("llvm.experimental.noalias") || name.starts_with("_Z9mem_fence") ||
            name.starts_with("llvm.nvvm.membar") || name.starts_with("_Z8prefetch") ||
            name.starts_with("llvm.prefetch") || name.starts_with("llvm.amdgcn.s.waitcnt"))
            return Special::Drop;
        if (name.starts_with("llvm.nvvm.shfl.") || name.starts_with("llvm.nvvm.vote.") ||
            name.contains("sub_group_shuffle") || name.contains("sub_group_reduce_add") ||
            name.contains("sub_group_broadcast") || name.contains("sub_group_any") || name.contains("sub_group_all") ||
            name.starts_with("llvm.amdgcn.ds.bpermute") || name.starts_with("llvm.amdgcn.ds.permute") ||
            name.starts_with("llvm.amdgcn.ds.swizzle") || name.starts_with("llvm.amdgcn.update.dpp") ||
            name.starts_with("llvm.amdgcn.readlane") || name.starts_with("llvm.amdgcn.readfirstlane") ||
            name.starts_with("llvm.amdgcn.ballot"))
            return Special::Exchange;
        if (name.contains("read_image") || name.starts_with("llvm.nvvm.tex."))
            return Special::ImageRead;
        if (name.contains("write_image"))
            return Special::ImageWrite;
        if (name.contains("async_work_group"))
            return Special::BulkCopy;
        return Special::None;
    }

    Value *element(IRBuilder<> &b, Value *value, unsigned index)
    {
        auto *vector = dyn_cast<FixedVectorType>(value->getType());
        if (!vector)
            return index == 0 ? value : nullptr;
        return index < vector->getNumElements() ? b.CreateExtractElement(value, index) : nullptr;
    }

    /* The texel along a dimension: floating-point coordinates are rounded down. */
    Value *texel(IRBuilder<> &b, Value *coordinate)
    {
        if (!coordinate)
            return b.getInt64(0);
        if (coordinate->getType()->isFloatingPointTy())
            return b.CreateCall(runtime("oracle_floor", word, {b.getDoubleTy()}),
                                {b.CreateFPExt(coordinate, b.getDoubleTy())});
        return b.CreateSExt(coordinate, word);
    }

    /* NVIDIA's textures: handles of 64 bits, a layer, then the coordinates. */
    unsigned textureCoordinates(CallInst &call, StringRef name, Value *at[3])
    {
        SmallVector<Value *, 8> numbers;
        for (Value *argument : call.args())
            if (!argument->getType()->isIntegerTy(64))
                numbers.push_back(argument);
        if (name.contains(".array"))
            std::rotate(numbers.begin(), numbers.begin() + 1,
                        numbers.begin() + (name.contains(".1d")   ? 2
                                           : name.contains(".2d") ? 3
                                                                  : 4));
        unsigned dims = (name.contains(".1d") ? 1 : name.contains(".2d") ? 2 : 3) + name.contains(".array");
        for (unsigned d = 0; d < 3; d++)
            at[d] = d < dims ? numbers[d] : nullptr;
        return std::min(dims, 3u);
    }

    bool replaceTexture(CallInst &call, StringRef name)
    {
        std::vector<uint32_t> of = records.lookup(&call);
        if (of.size() != 1)
            return fail("a texture fetch without one record", call);
        IRBuilder<> b(&call);
        Value *at[3];
        unsigned dims = textureCoordinates(call, name, at);
        for (Value *&coordinate : at)
            coordinate = texel(b, coordinate);
        b.CreateCall(runtime("oracle_image", b.getVoidTy(), {number, number, word, word, word}),
                     {b.getInt32(of[0]), b.getInt32(dims), at[0], at[1], at[2]});
        auto *type = cast<StructType>(call.getType());
        Value *result = PoisonValue::get(type);
        for (unsigned e = 0; e < type->getNumElements(); e++) {
            Value *value = b.CreateCall(runtime("oracle_texel", number, {number}), {b.getInt32(e)});
            Type *channel = type->getElementType(e);
            value =
                channel->isFloatingPointTy() ? b.CreateUIToFP(value, channel) : b.CreateIntCast(value, channel, false);
            result = b.CreateInsertValue(result, value, e);
        }
        call.replaceAllUsesWith(result);
        return true;
    }

    bool replaceImage(CallInst &call, StringRef name, bool write)
    {
        if (name.starts_with("llvm.nvvm.tex."))
            return replaceTexture(call, name);
        std::vector<uint32_t> of = records.lookup(&call);
        if (of.size() != 1)
            return fail("an image access without one record", call);
        unsigned dims = name.contains("image3d") || name.contains("image2d_array")   ? 3
                        : name.contains("image2d") || name.contains("image1d_array") ? 2
                                                                                     : 1;
        Value *coordinates = call.getArgOperand(1); /* image, then perhaps a sampler */
        if (!write && !coordinates->getType()->isIntOrIntVectorTy() && !coordinates->getType()->isFPOrFPVectorTy())
            coordinates = call.getArgOperand(2);
        else if (!write && call.arg_size() > 2 && coordinates->getType()->isIntegerTy(32) && name.contains("sampler"))
            coordinates = call.getArgOperand(2);
        IRBuilder<> b(&call);
        Value *at[3];
        for (unsigned d = 0; d < 3; d++)
            at[d] = texel(b, d < dims ? element(b, coordinates, d) : nullptr);
        b.CreateCall(runtime("oracle_image", b.getVoidTy(), {number, number, word, word, word}),
                     {b.getInt32(of[0]), b.getInt32(dims), at[0], at[1], at[2]});
        if (write)
            return true;
        Type *type = call.getType(), *scalar = type->getScalarType();
        Value *result = PoisonValue::get(type);
        unsigned count = type->isVectorTy() ? cast<FixedVectorType>(type)->getNumElements() : 1;
        for (unsigned e = 0; e < count; e++) {
            Value *value = b.CreateCall(runtime("oracle_texel", number, {number}), {b.getInt32(e)});
            value = scalar->isFloatingPointTy() ? b.CreateUIToFP(value, scalar) : b.CreateIntCast(value, scalar, false);
            result = type->isVectorTy() ? b.CreateInsertElement(result, value, e) : value;
        }
        call.replaceAllUsesWith(result);
        return true;
    }

    bool replaceBulk(CallInst &call, StringRef name)
    {
        std::vector<uint32_t> of = records.lookup(&call);
        if (of.size() != 1)
            return fail("a bulk copy without one record", call);
        const gp_memory &memory = kernel.kernel.memory[of[0]];
        IRBuilder<> b(&call);
        Value *stride = name.contains("strided") ? b.CreateZExtOrTrunc(call.getArgOperand(3), word) : b.getInt64(1);
        bool toLocal = !(memory.flags & GP_MEMORY_STORE);
        if (name.contains("PU3AS3") && toLocal != (name.find("PU3AS3") < name.find("PU3AS1")))
            return fail("a bulk copy in the wrong direction", call);
        b.CreateCall(runtime("oracle_bulk_copy", b.getVoidTy(), {number, word, word, word, word, number, number}),
                     {b.getInt32(of[0]), b.CreatePtrToInt(call.getArgOperand(0), word),
                      b.CreatePtrToInt(call.getArgOperand(1), word), b.CreateZExtOrTrunc(call.getArgOperand(2), word),
                      stride, b.getInt32((uint32_t)memory.element_bytes * memory.vector), b.getInt32(toLocal)});
        if (!call.use_empty())
            call.replaceAllUsesWith(PoisonValue::get(call.getType()));
        return true;
    }

    /* With the numbers that the instruction itself holds: "llvm.amdgcn.ds.swizzle 31". */
    static std::string withImmediates(const CallInst &call, StringRef name)
    {
        std::string text = name.str();
        for (unsigned i = 0; i < call.arg_size(); i++)
            if (call.paramHasAttr(i, Attribute::ImmArg))
                text += " " + std::to_string(cast<ConstantInt>(call.getArgOperand(i))->getZExtValue());
        return text;
    }

    /* Lanes hand in their values; the piece behind reads what comes out of it. */
    BasicBlock *replaceExchange(CallInst &call, StringRef name)
    {
        IRBuilder<> b(&call);
        Value *in[4] = {b.getInt64(0), b.getInt64(0), b.getInt64(0), b.getInt64(0)};
        for (unsigned i = 0; i < call.arg_size() && i < 4; i++) {
            Value *value = call.getArgOperand(i);
            if (value->getType()->isFloatTy())
                value = b.CreateBitCast(value, number);
            in[i] = b.CreateZExtOrTrunc(value, word);
        }
        Value *text = b.CreateGlobalString(withImmediates(call, name));
        b.CreateCall(runtime("oracle_give", b.getVoidTy(), {word, word, word, word}), in);
        BasicBlock *behind = SplitBlock(call.getParent(), &call);
        b.SetInsertPoint(&call);
        Value *result = b.CreateCall(runtime("oracle_take", word, {text->getType()}), {text});
        Type *type = call.getType();
        if (type->isFloatTy())
            result = b.CreateBitCast(b.CreateTrunc(result, number), type);
        else if (type->isIntegerTy())
            result = b.CreateZExtOrTrunc(result, type);
        else
            return nullptr;
        call.replaceAllUsesWith(result);
        return behind;
    }

    /* Target intrinsics become functions of the oracle's runtime with underscores for dots. */
    bool replaceIntrinsic(CallInst &call, StringRef name)
    {
        if (name.starts_with("llvm.nvvm.ldg") || name.starts_with("llvm.masked") ||
            name.starts_with("llvm.experimental"))
            return fail("cannot run", call);
        if (!name.starts_with("llvm.nvvm.") && !name.starts_with("llvm.amdgcn."))
            return true;
        std::string other = name.str();
        std::replace(other.begin(), other.end(), '.', '_');
        call.setCalledFunction(runtime(other, call.getType(), call.getFunctionType()->params()));
        return true;
    }

    bool addPiece(BasicBlock *first, BasicBlock *behind, oracle_end end, uint32_t barrier)
    {
        size_t piece = (size_t)(find(pieces, first) - pieces.begin());
        steps.ends[piece] = end;
        steps.barriers[piece] = barrier;
        pieces.push_back(behind);
        steps.ends.push_back(ORACLE_BRANCHES);
        steps.barriers.push_back(GP_NONE);
        return true;
    }

    bool replaceBarrier(CallInst &call)
    {
        std::vector<uint32_t> of = barriers.lookup(&call);
        if (of.size() != 1)
            return fail("a barrier that the profile does not have", call);
        BasicBlock *first = call.getParent(), *behind = SplitBlock(first, call.getNextNode());
        return addPiece(first, behind, ORACLE_BARRIER, of[0]);
    }

    bool replaceCall(CallInst &call)
    {
        std::string name = nameOf(call);
        if (name.empty())
            return fail("a call through a pointer", call);
        if (barriers.count(&call) && specialOf(name) != Special::Barrier)
            return fail("the profile has a barrier here", call);
        call.setCallingConv(CallingConv::C);
        BasicBlock *block = call.getParent(), *behind;
        bool done = true;
        switch (specialOf(name)) {
        case Special::None:
            if (auto *move = dyn_cast<MemIntrinsic>(&call)) {
                auto *transfer = dyn_cast<MemTransferInst>(&call);
                auto *length = dyn_cast<ConstantInt>(move->getLength());
                return length ? traceMemory(call, transfer ? transfer->getRawSource() : nullptr, move->getRawDest(),
                                            length->getZExtValue())
                              : fail("a copy of unknown length", call);
            }
            if (StringRef(name).contains("__translate_sampler_initializer"))
                break;
            return replaceIntrinsic(call, name);
        case Special::Drop: break;
        case Special::Barrier: done = replaceBarrier(call); break;
        case Special::ImageRead: done = replaceImage(call, name, false); break;
        case Special::ImageWrite: done = replaceImage(call, name, true); break;
        case Special::BulkCopy: done = replaceBulk(call, name); break;
        case Special::Exchange:
            behind = replaceExchange(call, name);
            done = behind ? addPiece(block, behind, ORACLE_EXCHANGE, GP_NONE) : fail("cannot run", call);
            break;
        }
        if (!done)
            return false;
        if (!call.use_empty())
            call.replaceAllUsesWith(PoisonValue::get(call.getType()));
        call.eraseFromParent();
        return true;
    }

    bool rewrite()
    {
        std::vector<Instruction *> all;
        for (BasicBlock *block : blocks) {
            pieces.push_back(block);
            steps.ends.push_back(ORACLE_BRANCHES);
            steps.barriers.push_back(GP_NONE);
            for (Instruction &inst : *block)
                all.push_back(&inst);
        }
        findLive();
        for (Instruction *inst : all)
            if (!traceInstruction(*inst))
                return false;
        for (Instruction *inst : all)
            if (auto *call = dyn_cast<CallInst>(inst); call && !replaceCall(*call))
                return false;
        return true;
    }

    /* ---- The step function
     * -------------------------------------------------------------------------------------------- */

    /* No value lives in a register from one piece to the next. */
    void demote()
    {
        BasicBlock::iterator place = body->getEntryBlock().begin();
        std::vector<PHINode *> phis;
        std::vector<Instruction *> crossing;
        for (Instruction &inst : instructions(*body))
            if (auto *variable = dyn_cast<AllocaInst>(&inst))
                ownVariables.insert(variable);
        for (Instruction &inst : instructions(*body))
            if (auto *phi = dyn_cast<PHINode>(&inst))
                phis.push_back(phi);
        for (PHINode *phi : phis)
            DemotePHIToStack(phi, place);
        for (Instruction &inst : instructions(*body)) {
            if (isa<AllocaInst>(inst) || inst.getType()->isVoidTy())
                continue;
            bool crosses = any_of(inst.users(), [&](const User *user) {
                return cast<Instruction>(user)->getParent() != inst.getParent();
            });
            if (crosses)
                crossing.push_back(&inst);
        }
        for (Instruction *inst : crossing)
            DemoteRegToStack(*inst, false, place);
    }

    bool layoutsAgree(const DataLayout &host)
    {
        const DataLayout &device = kernel.function.getParent()->getDataLayout();
        auto same = [&](Type *type) {
            return !type->isSized() || (host.getTypeAllocSize(type) == device.getTypeAllocSize(type));
        };
        for (const Instruction &inst : instructions(*body)) {
            if (auto *gep = dyn_cast<GetElementPtrInst>(&inst))
                if (!same(gep->getSourceElementType()) || !same(gep->getResultElementType()))
                    return fail("a type of another size on the host", inst);
        }
        return true;
    }

    void placeFrame(IRBuilder<> &b, Value *frame, const DataLayout &host)
    {
        std::vector<AllocaInst *> variables;
        for (Instruction &inst : instructions(*body))
            if (auto *variable = dyn_cast<AllocaInst>(&inst))
                variables.push_back(variable);
        for (AllocaInst *variable : variables) {
            uint64_t bytes = variable->getAllocationSize(host)->getFixedValue();
            bool own = ownVariables.contains(variable); /* where the profile's symbols start */
            steps.frameBytes = alignTo(steps.frameBytes, own ? Align(ORACLE_ALIGNMENT)
                                                             : host.getPrefTypeAlign(variable->getAllocatedType()));
            Value *place = b.CreatePtrAdd(frame, b.getInt64(steps.frameBytes));
            if (variable->getType() != place->getType())
                place = b.CreateAddrSpaceCast(place, variable->getType());
            variable->replaceAllUsesWith(place);
            variable->eraseFromParent();
            steps.frameBytes += bytes;
        }
        steps.frameBytes = alignTo(steps.frameBytes + 1, Align(ORACLE_ALIGNMENT));
    }

    void placeArguments(IRBuilder<> &b, Value *arguments)
    {
        for (Argument &argument : body->args()) {
            if (argument.use_empty())
                continue;
            Value *slot = b.CreatePtrAdd(arguments, b.getInt64((uint64_t)argument.getArgNo() * ORACLE_ARGUMENT_BYTES));
            const Argument *original = kernel.function.getArg(argument.getArgNo());
            Value *value;
            if (original->hasByValAttr() || original->hasByRefAttr())
                value = slot->getType() == argument.getType() ? slot : b.CreateAddrSpaceCast(slot, argument.getType());
            else if (isa<TargetExtType>(argument.getType()))
                value = PoisonValue::get(argument.getType());
            else
                value = b.CreateAlignedLoad(argument.getType(), slot, Align(16));
            argument.replaceAllUsesWith(value);
        }
    }

    Value *nextPiece(IRBuilder<> &b, Instruction &end, const DenseMap<const BasicBlock *, uint32_t> &numbers)
    {
        auto piece = [&](const BasicBlock *block) { return b.getInt32(numbers.lookup(block)); };
        if (auto *branch = dyn_cast<BranchInst>(&end)) {
            if (branch->isUnconditional())
                return piece(branch->getSuccessor(0));
            return b.CreateSelect(branch->getCondition(), piece(branch->getSuccessor(0)),
                                  piece(branch->getSuccessor(1)));
        }
        if (auto *choice = dyn_cast<SwitchInst>(&end)) {
            Value *next = piece(choice->getDefaultDest());
            for (auto entry : choice->cases())
                next = b.CreateSelect(b.CreateICmpEQ(choice->getCondition(), entry.getCaseValue()),
                                      piece(entry.getCaseSuccessor()), next);
            return next;
        }
        return b.getInt32((uint32_t)-1);
    }

    void makeStep(const DataLayout &host)
    {
        Type *pointer = PointerType::get(context, 0);
        Function *step = Function::Create(FunctionType::get(number, {pointer, pointer, number}, false),
                                          Function::ExternalLinkage, steps.entry, &module);
        DenseMap<const BasicBlock *, uint32_t> numbers;
        for (size_t i = 0; i < pieces.size(); i++)
            numbers[pieces[i]] = (uint32_t)i;
        BasicBlock *entry = BasicBlock::Create(context, "", step);
        IRBuilder<> b(entry);
        placeFrame(b, step->getArg(0), host);
        placeArguments(b, step->getArg(1));
        step->splice(step->end(), body);
        body->eraseFromParent();
        BasicBlock *none = BasicBlock::Create(context, "", step);
        for (BasicBlock *piece : pieces) {
            Instruction *end = piece->getTerminator();
            IRBuilder<> at(end);
            at.CreateRet(nextPiece(at, *end, numbers));
            end->eraseFromParent();
        }
        SwitchInst *choice = b.CreateSwitch(step->getArg(2), none, (unsigned)pieces.size());
        for (size_t i = 0; i < pieces.size(); i++)
            choice->addCase(b.getInt32((uint32_t)i), pieces[i]);
        b.SetInsertPoint(none);
        b.CreateUnreachable();
    }

    bool make(const DataLayout &host)
    {
        copyBody();
        findRecords();
        if (!rewrite() || !layoutsAgree(host))
            return false;
        demote();
        makeStep(host);
        module.setDataLayout(host);
        std::string text;
        raw_string_ostream stream(text);
        if (verifyModule(module, &stream))
            return fail("broken by the oracle: " + text);
        return true;
    }
};

} // namespace

bool makeSteps(const BuiltKernel &kernel, const DataLayout &host, const std::string &triple, Steps &steps,
               std::string &error)
{
    steps.module = std::make_unique<Module>("oracle", kernel.function.getContext());
    steps.module->setDataLayout(host);
    steps.module->setTargetTriple(Triple(triple));
    steps.entry = "step";
    return Maker(kernel, steps, error).make(host);
}

} // namespace gpuperf
